import Foundation
import KVCore

// What KVCore finds at run time only. A linker takes an object file of a static archive only if another one refers to it;
// to this one refer the types that conform to `LinkedWithFoundation`. `.ci/archive.py` finds what is still lost.

/// A type whose use links the conformances of Foundation's types.
package protocol LinkedWithFoundation {}

extension Date: TextConvertible {}
extension URL: TextConvertible {}
extension UUID: TextConvertible {}
extension Data: TextConvertible {}
extension Decimal: TextConvertible, ExactNumber {}
extension CGFloat: NumericValue {}
extension KVError: LocalizedError {}
extension FoundationProvider: FoundationServices {}
