import KVBinding
import KVCore

extension Target {
  /// TRN.2: formats of numbers.
  ///
  /// The first eight bytes are a number, the rest is the format.
  static let formats = Target(name: "Formats") { bytes in
    let text = String(decoding: bytes.dropFirst(8), as: UTF8.self)
    let bits = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let transformer: KVTransformer
    do throws(KVError) { transformer = try KVTransformer.format(text) } catch {
      expect(error.code == .unsupported && error.message.last == ".", "no sentence:", bytes, error.message)
      expect((try? KVTransformer.named("format:" + text)) == nil, "has a name, and is malformed:", bytes)
      return
    }
    expect(transformer.name == "format:" + text, "another name:", bytes)
    let named = try? KVTransformer.named("format:" + text)
    let integer = Int64(bitPattern: bits)
    for number in [integer, integer >> 48, Double(bitPattern: bits), Double(integer >> 40) / 8] as [any Sendable] {
      guard let written = try? transformer.transform(number) as? String else { continue }
      expect((try? named?.transform(number)) as? String == written, "by its name another text:", bytes)
      let back: Any?
      do throws(KVError) { back = try transformer.reverseTransform(written) } catch {
        found("cannot read what it wrote:", bytes, "\(number) \(written.debugDescription) \(error.message)")
      }
      // `%@` reads an integer where a number is whole.
      let isSame = (try? transformer.transform(back)) as? String == written || KVC.areEqual(back, number)
      expect(isSame, "text, number, text:", bytes, "\(number) \(written.debugDescription) \(back as Any)")
    }
    if (try? transformer.transform(nil)) ?? nil != nil { found("nil does not stay nil:", bytes) }
    if (try? transformer.transform("x")) != nil { found("a text is taken for a number:", bytes) }
  }
}
