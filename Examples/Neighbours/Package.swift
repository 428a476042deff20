// swift-tools-version: 6.1
import PackageDescription

// Three targets that join the library to packages of others. Each is one or two files, to be copied into a package of your own.
let package = Package(
  name: "neighbours",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-key-value", path: "../.."),
    .package(url: "https://github.com/stencilproject/Stencil", from: "0.15.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
  ],
  targets: [
    .target(
      name: "KVStencil",
      dependencies: [
        .product(name: "KVCore", package: "swift-key-value"),
        .product(name: "Stencil", package: "Stencil"),
      ]),
    .target(
      name: "KVGRDB",
      dependencies: [
        .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "KVConfiguration",
      dependencies: [
        .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "Configuration", package: "swift-configuration"),
      ]),
    .testTarget(
      name: "KVStencilTests", dependencies: ["KVStencil", .product(name: "KVCore", package: "swift-key-value")]),
    .testTarget(
      name: "KVGRDBTests",
      dependencies: [
        "KVGRDB", .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "KVConfigurationTests",
      dependencies: [
        "KVConfiguration", .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "Configuration", package: "swift-configuration"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
