/// Models for tests of code that works on any model: with every kind of property, and contents that are always the same
/// (TST.3).
///
/// ```swift
/// let person = KVFixtures.Person.sample()
/// try person.value(forKeyPath: "friends.@count", as: Int.self)      // 2
/// ```
///
/// | to have | take |
/// |---|---|
/// | a property of every kind | ``Person``, ``Address``, ``Stamp`` |
/// | a small shop with a sum | ``Order``, ``Item`` |
/// | an observable class with another superclass | ``Download`` |
/// | an object that cannot be observed | ``Note`` |
/// | a control, a node of a tree | ``Slider``, ``Panel`` |
/// | collections behind accessors that log their calls | ``Shelf`` |
/// | something that fails, or runs code as it dies | ``Faulty``, ``KVBinding/KVTransformer/failing(_:when:)``, ``Mortal`` |
///
/// All of them comply: ``expectCompliant(values:ignoring:fileID:filePath:line:column:_:)`` finds nothing, but that
/// ``Person/plain`` and ``Person/mentor`` are silent when they are set in Swift, which is what they are there for. Like any
/// model they belong to one isolation domain.
public enum KVFixtures {}
