/// A part of the page, with the objects of each window.
@MainActor protocol StudioPart: AnyObject {
  /// The name in paths, and of the events.
  var name: String { get }

  /// Whether something would be lost if the program ended now.
  var hasUnsavedChanges: Bool { get }

  /// Makes the objects of a window.
  func open(_ window: String) throws

  /// Ends the objects of a window.
  func close(_ window: String)

  /// Everything that a window shows.
  func state(of window: String) throws -> [String: Any]

  /// Does what the page of a window asks for.
  ///
  /// - Returns: The answer.
  /// - Throws: A ``Refusal`` or a `KVError`; nothing is changed then.
  func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any]

  /// Publishes what the windows show otherwise since the last call.
  func publishChanges(to hub: EventHub)

  /// Does what time brings; called ten times in a second while a window is open.
  func tick()

  /// Returns a document that is no JSON, such as an image; nil if there is none of the name.
  func document(_ name: String, _ query: [String: String]) throws -> Response?
}

extension StudioPart {
  var hasUnsavedChanges: Bool { false }
  func tick() {}
  func document(_ name: String, _ query: [String: String]) throws -> Response? { nil }
}
