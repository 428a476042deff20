// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-key-value", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "KVBenchmarks",
      dependencies: [
        .product(name: "KVBinding", package: "swift-key-value"),
        .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "KVQuery", package: "swift-key-value"),
        // Not used: .ci/archive.py takes the object files of all libraries from this build.
        .product(name: "KVDefinitions", package: "swift-key-value"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
