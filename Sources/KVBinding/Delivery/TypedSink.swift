import KVCore

/// Makes the function that hands the values of notices to a typed handler; inlined where the type is known.
@inlinable
func typedSink<Value>(
  _ path: KVKeyPath, _ type: Value.Type, _ options: KVObservingOptions, _ site: Site,
  _ handler: @escaping (KVValueChange<Value>) -> Void
) -> NoticeSink {
  let wantsOld = options.contains(.old)
  let wantsNew = options.contains(.new)
  return { notice, isPrior, isInitial in
    let old: Value? = wantsOld && !isInitial ? typedValue(notice, isOld: true, type, path, site) : nil
    let new: Value? = wantsNew && !isPrior ? typedValue(notice, isOld: false, type, path, site) : nil
    handler(
      KVValueChange(
        keyPath: path, kind: notice.kind, old: old, new: new, indexes: notice.indexes, isPrior: isPrior,
        isInitial: isInitial))
  }
}

/// Returns a value of a notice as a type, without a box if it is of the type or an optional of it.
@inlinable @inline(__always)
func typedValue<Value>(
  _ notice: borrowing KVChangeNotice, isOld: Bool, _ type: Value.Type, _ path: KVKeyPath, _ site: Site
) -> Value? {
  guard let address = isOld ? notice.oldAddress : notice.newAddress, let valueType = notice.valueType else {
    return nil
  }
  if valueType == type { return address.assumingMemoryBound(to: type).pointee }
  if valueType == Value?.self { return address.assumingMemoryBound(to: Value?.self).pointee }
  return converted(isOld ? notice.oldValue : notice.newValue, to: type, path, site)
}

/// Returns a boxed value as a type; what does not convert is reported.
@usableFromInline @inline(never)
func converted<Value>(_ value: Any?, to type: Value.Type, _ path: KVKeyPath, _ site: Site) -> Value? {
  guard let value else { return nil }
  do throws(CoercionFailure) { return try Coercion().convert(value, to: type) } catch {
    KVDiagnostics.report(.error, .faultyValue, path, nil, site) {
      "\"\(path)\" is observed as \(type), but holds a \(Swift.type(of: value)), which does not convert: \(value)"
    }
    return nil
  }
}
