// The values of a key of the elements of an array, without a box for each element.

/// Receives the elements of an array as owners of a key, with the accessor of the key.
///
/// A protocol, since the compiler inlines no closure that another one calls.
protocol ElementVisitor {
  /// Visits an element; `false` if it needs the general way.
  mutating func visit(_ accessor: Accessor, _ object: AnyObject, _ address: Address) -> Bool
}

extension Reader {
  /// Visits the elements of an array as owners of a hop's key, until the visitor returns false.
  ///
  /// - Returns: Whether all elements were visited; `false` also if an element has no accessor of the key, listed or
  ///   reflected, or the elements are optionals or of different types.
  @inline(__always)
  static func visit(
    _ array: any OrderedValue, at hop: AddressOf<KVKeyPath.Hop>, by visitor: inout some ElementVisitor
  ) -> Bool {
    let count = array.elementCount
    var index = 0
    if type(of: array).elementType is AnyClass {
      array.withElementMemory { start, stride in
        while index < count {
          let object = (start + index * stride).load(as: _KVReference<AnyObject>.self)
          let isVisited = object.borrow { object in
            guard let accessor = hop.pointee.reader(of: object) else { return false }
            return accessor.borrow { visitor.visit($0, object, noAddress) }
          }
          guard isVisited else { return }
          index += 1
        }
      }
      return index == count
    }
    guard count > 0, let first = array.element(at: 0) else { return count == 0 }
    let info = TypeInfo.of(first)
    guard info.type == type(of: array).elementType, let accessor = hop.pointee.reader(in: info) else { return false }
    let none = noObject
    array.withElementMemory { start, stride in
      accessor.borrow { accessor in
        while index < count {
          let address = start + index * stride
          guard visitor.visit(accessor, none, address) else { return }
          index += 1
        }
      }
    }
    return index == count
  }

  /// Returns the values of a hop's key of an array's elements; nil if one of them needs the general way.
  static func values(of array: any OrderedValue, at hop: AddressOf<KVKeyPath.Hop>) -> [Any?]? {
    var boxes = Boxes()
    boxes.values.reserveCapacity(array.elementCount)
    return visit(array, at: hop, by: &boxes) ? boxes.values : nil
  }

  private struct Boxes: ElementVisitor {
    var values: [Any?] = []

    @inline(__always)
    mutating func visit(_ accessor: Accessor, _ object: AnyObject, _ address: Address) -> Bool {
      values.append(accessor.readAny(object, address))
      return true
    }
  }

  /// Moves the values of a hop's key of an array's elements into memory, as an array of a type; false if the accessors do
  /// not read its elements as they are.
  static func read(
    _ array: any OrderedValue, at hop: AddressOf<KVKeyPath.Hop>, as type: ObjectIdentifier,
    into memory: Address
  ) -> Bool {
    guard let wanted = TypeTraits.existing(type)?.borrow({ $0.ordered }), (try? array.checkCount()) != nil else {
      return false
    }
    let element = ObjectIdentifier(wanted.elementType)
    return wanted.initialize(memory, count: array.elementCount) { start, stride in
      var slots = Slots(element: element, start: start, stride: stride)
      _ = visit(array, at: hop, by: &slots)
      return slots.count
    }
  }

  private struct Slots: ElementVisitor {
    let element: ObjectIdentifier
    let start: Address
    let stride: Int
    var count = 0

    @inline(__always)
    mutating func visit(_ accessor: Accessor, _ object: AnyObject, _ address: Address) -> Bool {
      guard accessor.valueID == element else { return false }
      accessor.read(object, address, start + count * stride)
      count += 1
      return true
    }
  }
}
