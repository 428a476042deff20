/// A type of the package that observes, binds or transforms: a property of the type has no data of the program (KVC.18).
///
/// The types say so themselves, whatever library they are in. A document is data, and does not conform.
package protocol Plumbing {}

extension Optional: Plumbing where Wrapped: Plumbing {}
extension Array: Plumbing where Element: Plumbing {}
extension Set: Plumbing where Element: Plumbing {}
extension Dictionary: Plumbing where Value: Plumbing {}
