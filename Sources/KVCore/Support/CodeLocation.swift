/// A place in the source code of a program, which messages name.
package struct CodeLocation: Sendable {
  package let file: StaticString
  package let line: UInt
}
