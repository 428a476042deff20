/// Models for tests of generic code: with every kind of property and constant contents (TST.3).
///
/// ```swift
/// let person = KVFixtures.Person.sample()
/// try person.value(forKeyPath: "friends.@count", as: Int.self)      // 2
/// ```
///
/// | for | use |
/// |---|---|
/// | a property of every kind | ``Person``, ``Address``, ``Stamp`` |
/// | a small shop with a sum | ``Order``, ``Item`` |
/// | an observable class with another superclass | ``Download`` |
/// | an object that cannot be observed | ``Note`` |
/// | a control, a node of a tree | ``Slider``, ``Panel`` |
/// | collections behind accessors that record their calls | ``Shelf`` |
/// | failures, or code in `deinit` | ``Faulty``, ``KVBinding/KVTransformer/failing(_:when:)``, ``Mortal`` |
///
/// All models comply: ``expectCompliant(values:ignoring:fileID:filePath:line:column:_:)`` reports no violations, except
/// for ``Person/plain`` and ``Person/mentor``, which deliberately do not notify when they are set in Swift. Like any
/// model, they belong to one isolation domain.
public enum KVFixtures {}
