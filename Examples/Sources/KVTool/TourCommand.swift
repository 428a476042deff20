import ArgumentParser
import Foundation
import KVTour

/// `kv tour`: shows what the library does, step by step.
struct TourCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Shows what the library does, step by step: code, and what it gives.")

  func run() throws { StandardStreams.write(Data(Tour.text().utf8)) }
}
