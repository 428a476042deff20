#if KV_VERIFY_PLANS
  import KVCore

  // With this compilation condition, each plan that a list has kept is compared with a new one (WAV.9).

  extension ChangePlan {
    /// Ends the process if the plan is not the one that a builder makes now.
    func verify(_ other: ChangePlan) {
      // Another thread may have added or removed an entry meanwhile.
      if lines == other.lines || isStale { return }
      fatalError("the plan is\n\(lines)\ninstead of\n\(other.lines)")
    }

    private var lines: String {
      var lines = steps.map { step in
        let reading = readings[step.reading]
        let object = reading.object < 0 ? "itself" : "\(objects[reading.object].id)"
        let flags = [step.isLeaf, step.isOfChangedKey, step.isOfElements].map { $0 ? "1" : "0" }.joined()
        return "\(ObjectIdentifier(step.registration)) \(flags) \(reading.key) \(reading.depth) \(object)"
      }
      lines += links.map { "link \(ObjectIdentifier($0.link))" }
      lines += followings.map { "following \(ObjectIdentifier($0.registration)) \($0.isIncremental)" }
      lines += dependents.map { "dependent \(ObjectIdentifier($0))" }
      lines += counting.map { "counting \(ObjectIdentifier($0))" }
      return lines.joined(separator: "\n")
    }
  }
#endif
