import Foundation
import KVBinding
import KVCore
import Testing

@Suite("OBS.4: notifications")
struct OwnerNotificationTests {
  private let center = NotificationCenter()
  private let names = [Notification.Name("one"), Notification.Name("two")]
  private let posters = [NSObject(), NSObject(), NSObject()]
  private let log = LifeLog()

  /// Posts each name from each poster, and from nobody.
  private func postAll() -> [String] {
    for name in names + [Notification.Name("three")] {
      for poster in posters { center.post(name: name, object: poster) }
      center.post(name: name, object: nil)
    }
    return log.take()
  }

  private func note(_ notification: Notification) {
    let poster = posters.firstIndex { $0 === notification.object as? NSObject }
    log.lines.append("\(notification.name.rawValue) \(poster.map { "\($0)" } ?? "-")")
  }

  @Test("OBS.4: each name from each object; no handler is called at once")
  func namesTimesObjects() {
    let owner = OwnerBadge()
    owner.observe(notifications: names, from: [posters[0], posters[2]], center: center) { [self] _, notification in
      note(notification)
    }
    #expect(log.lines.isEmpty)
    #expect(postAll() == ["one 0", "one 2", "two 0", "two 2"])
  }

  @Test("OBS.4: no objects given: from any; an empty list: from none")
  func anyAndNone() {
    let owner = OwnerBadge()
    owner.observe(notifications: [names[0]], center: center) { [self] _, notification in note(notification) }
    owner.observe(notifications: names, from: [], center: center) { [self] _, _ in log.lines.append("never") }
    #expect(postAll() == ["one 0", "one 1", "one 2", "one -"])
  }

  @Test("OBS.4, LIF.1: they end with the owner, which is not retained, nor the objects", arguments: [true, false])
  func endWithOwner(isOurs: Bool) {
    func observe(_ owner: some KVObserver, _ capture: LifeCapture) {
      owner.observe(notifications: names, from: [posters[0]], center: center) { [self] _, notification in
        withExtendedLifetime(capture) { note(notification) }
      }
    }
    let captures = LifeCapture.Count()
    var owner: (any KVObserver)? = isOurs ? OwnedItem() : OwnerBadge()
    weak let witness = owner
    if let owner { observe(owner, LifeCapture(captures)) }
    #expect(postAll() == ["one 0", "two 0"])
    owner = nil
    #expect(witness == nil)
    // An owner that is not ours is found to be gone at the next notification.
    if isOurs { #expect(captures.alive == 0) }
    #expect(postAll().isEmpty)
    #expect(captures.alive == 0)
  }

  @Test("OBS.4: an object that posts is not retained; what takes its address is not observed")
  func posterDeallocates() {
    let owner = OwnerBadge()
    var poster: NSObject? = NSObject()
    weak let witness = poster
    owner.observe(notifications: names, from: [poster].compactMap { $0 }, center: center) { [self] _, notification in
      note(notification)
    }
    poster = nil
    #expect(witness == nil)
    #expect(postAll().isEmpty)
    for _ in 0..<100 { center.post(name: names[0], object: NSObject()) }
    #expect(log.lines.isEmpty)
  }

  @Test("OBS.3, OBS.4: removing everything ends them, too; removing what is observed of an object does not")
  func removal() {
    let owner = OwnerBadge()
    let other = OwnerBadge()
    let item = OwnedItem()
    for badge in [owner, other] {
      badge.observe(notifications: [names[0]], from: [posters[0]], center: center) { [self] badge, notification in
        note(notification)
        badge.lines.append("heard")
      }
    }
    owner.removeObservations(of: item)
    #expect(postAll() == ["one 0", "one 0"])
    owner.removeObservations()
    #expect(postAll() == ["one 0"])
    #expect(owner.lines.count == 1 && other.lines.count == 2)
  }

  @Test("OBS.4: a handler removes everything of its owner")
  func inHandler() {
    let owner = OwnerBadge()
    for _ in 0..<2 {
      owner.observe(notifications: names, center: center) { [self] owner, notification in
        note(notification)
        owner.removeObservations()
      }
    }
    #expect(!postAll().isEmpty)
    #expect(postAll().isEmpty)
  }

  @Test("OBS.4, LIF.4: a token ends them early, and pauses them; dropping it does not end them")
  func token() {
    let owner = OwnerBadge()
    let token = owner.observe(notifications: [names[0]], from: [posters[0]], center: center) { [self] _, notification in
      note(notification)
    }
    #expect(token.isActive && !token.isPaused)
    token.pause()
    #expect(token.isPaused && postAll().isEmpty)
    token.resume()
    #expect(postAll() == ["one 0"])
    token.cancel()
    token.cancel()
    #expect(!token.isActive && postAll().isEmpty)
  }
}
