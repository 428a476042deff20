import Foundation
import KVBinding
import KVCore
import KVDefinitions
import KVDocuments

extension Target {
  /// DEF.1, DEF.2: files of binding definitions, in three formats.
  static let definitions = Target(name: "Definitions") { bytes in
    let data = Data(bytes)
    let drafts: BindingDrafts
    do throws(KVBindingFaults) { drafts = try BindingDrafts(data: data) } catch {
      check(error, bytes)
      expect((try? KVBindingDefinitions(data: data)) == nil, "has no drafts, and definitions:", bytes)
      return
    }
    checkDrafts(drafts, bytes)
    do throws(KVBindingFaults) {
      let definitions = try KVBindingDefinitions(data: data)
      expect(drafts.faults.isEmpty, "its faults are passed over:", bytes)
      checkDefinitions(definitions, bytes)
    } catch {
      check(error, bytes)
      expect(error.faults == drafts.faults, "other faults than those of its drafts:", bytes)
    }
  }

  private static func check(_ error: KVBindingFaults, _ bytes: [UInt8]) {
    expect(!error.faults.isEmpty, "no fault:", bytes)
    let count = bytes.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    for fault in error.faults {
      expect([".", "?"].contains(fault.message.last), "no sentence:", bytes, fault.message)
      expect(fault.line.map { (1...count).contains($0) } ?? true, "a line that is not there:", bytes, fault.description)
    }
  }

  /// Drafts that were written are read as equal ones, in every format that has their characters.
  private static func checkDrafts(_ drafts: BindingDrafts, _ bytes: [UInt8]) {
    for format in KVDocument.Format.allCases {
      let written: Data
      do throws(KVError) { written = try drafts.data(format: format) } catch {
        expect(error.code == .unsupported && format == .xml, "cannot be written:", bytes, error.message)
        continue
      }
      do throws(KVBindingFaults) {
        let again = try BindingDrafts(data: written)
        expect(again.drafts == drafts.drafts, "no round trip of drafts by \(format):", bytes)
        // Foundation writes the members of a dictionary in any order.
        if format == .binary { continue }
        expect((try? again.data(format: format)) == written, "drafts written in two ways:", bytes)
      } catch {
        found("drafts that are written as \(format) cannot be read:", bytes, "\(error)")
      }
    }
  }

  private static func checkDefinitions(_ definitions: KVBindingDefinitions, _ bytes: [UInt8]) {
    for format in KVDocument.Format.allCases {
      guard let written = try? definitions.data(format: format) else {
        expect(format == .xml, "cannot be written:", bytes)
        continue
      }
      let again = try? KVBindingDefinitions(data: written)
      expect(again == definitions, "no round trip by \(format):", bytes)
      if format == .json {
        let decoded = try? JSONDecoder().decode(KVBindingDefinitions.self, from: written)
        expect(decoded == definitions, "a decoder reads other definitions:", bytes)
      }
    }
    for definition in definitions { _ = (definition.description, try? definition.options()) }
  }
}
