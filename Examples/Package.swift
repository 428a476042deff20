// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "kv-examples",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "kv", targets: ["kv"]),
    .executable(name: "sheet", targets: ["SheetTool"]),
    .library(name: "KVInspector", targets: ["KVInspector"]),
    .library(name: "KVStudio", targets: ["KVStudio"]),
  ],
  dependencies: [
    .package(name: "swift-key-value", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    .executableTarget(name: "kv", dependencies: ["KVTool"]),
    .target(
      name: "KVTool",
      dependencies: [
        "KVTour",
        "KVStudio",
        .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "KVDefinitions", package: "swift-key-value"),
        .product(name: "KVDocuments", package: "swift-key-value"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(name: "KVInspector", dependencies: [.product(name: "KVBinding", package: "swift-key-value")]),
    .target(
      name: "KVStudio",
      dependencies: [
        "KVInspector",
        .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "KVDefinitions", package: "swift-key-value"),
        .product(name: "KVDocuments", package: "swift-key-value"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.copy("Page"), .copy("Bindings")]),
    .target(
      name: "KVTour",
      dependencies: [
        .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "KVDefinitions", package: "swift-key-value"),
        .product(name: "KVDocuments", package: "swift-key-value"),
      ]),
    .executableTarget(
      name: "ReadmeExample", dependencies: [.product(name: "KVBinding", package: "swift-key-value")]),
    .target(
      name: "KVLoggers",
      dependencies: [
        .product(name: "KVBinding", package: "swift-key-value"), .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "KVOpenCombine",
      dependencies: [
        .product(name: "KVBinding", package: "swift-key-value"), .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .executableTarget(name: "Department", dependencies: [.product(name: "KVControllers", package: "swift-key-value")]),
    .executableTarget(name: "FormInspector", dependencies: [.product(name: "KVBinding", package: "swift-key-value")]),
    .executableTarget(name: "RuleEngine", dependencies: [.product(name: "KVBinding", package: "swift-key-value")]),
    .target(name: "Sheet", dependencies: [.product(name: "KVControllers", package: "swift-key-value")]),
    .executableTarget(
      name: "SheetTool",
      dependencies: [
        "Sheet",
        .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "DepartmentTests",
      dependencies: ["Department", .product(name: "KVTestSupport", package: "swift-key-value")]),
    .testTarget(
      name: "FormInspectorTests",
      dependencies: ["FormInspector", .product(name: "KVTestSupport", package: "swift-key-value")]),
    .testTarget(
      name: "RuleEngineTests",
      dependencies: ["RuleEngine", .product(name: "KVTestSupport", package: "swift-key-value")]),
    .testTarget(
      name: "SheetTests",
      dependencies: [
        "Sheet", "SheetTool", .product(name: "KVControllers", package: "swift-key-value"),
        .product(name: "KVTestSupport", package: "swift-key-value"),
      ]),
    .testTarget(
      name: "KVOpenCombineTests",
      dependencies: ["KVOpenCombine", .product(name: "KVTestSupport", package: "swift-key-value")]),
    .testTarget(name: "KVInspectorTests", dependencies: ["KVInspector"]),
    .testTarget(
      name: "KVStudioTests",
      dependencies: [
        "KVStudio", "KVInspector", .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "KVTestSupport", package: "swift-key-value"),
      ]),
    .testTarget(name: "KVToolTests", dependencies: ["KVTool", "kv"]),
    .testTarget(
      name: "KVTourTests", dependencies: ["KVTour", "KVLoggers", .product(name: "Logging", package: "swift-log")]),
  ],
  swiftLanguageModes: [.v6]
)
