// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "swift-key-value",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "KVCore", targets: ["KVCore"]),
    .library(name: "KVQuery", targets: ["KVQuery"]),
    .library(name: "KVBinding", targets: ["KVBinding"]),
    .library(name: "KVControllers", targets: ["KVControllers"]),
    .library(name: "KVDocuments", targets: ["KVDocuments"]),
    .library(name: "KVDefinitions", targets: ["KVDefinitions"]),
    .library(name: "KVTestSupport", targets: ["KVTestSupport"]),
  ],
  targets: [
    .target(name: "KVRuntime"),
    .target(name: "KVSyntax"),
    .target(name: "KVExpansion", dependencies: ["KVSyntax"]),
    .macro(name: "KVMacros", dependencies: ["KVExpansion"]),
    .target(name: "KVCore", dependencies: ["KVMacros", "KVRuntime"]),
    .target(name: "KVQuery", dependencies: ["KVCore"]),
    .target(name: "KVFoundation", dependencies: ["KVCore"]),
    .target(name: "KVBinding", dependencies: ["KVCore", "KVFoundation"]),
    .target(name: "KVControllers", dependencies: ["KVBinding", "KVQuery"]),
    .target(name: "KVDocuments", dependencies: ["KVCore", "KVFoundation"]),
    .target(name: "KVDefinitions", dependencies: ["KVBinding", "KVDocuments"]),
    .target(name: "KVTestSupport", dependencies: ["KVBinding"]),
    .testTarget(name: "KVSyntaxTests", dependencies: ["KVSyntax"]),
    // A test target that depends on a macro has all libraries built twice, for the host and for itself.
    .testTarget(name: "KVExpansionTests", dependencies: ["KVExpansion"], exclude: ["Conversations"]),
    .testTarget(name: "KVModelTests", dependencies: ["KVTestSupport"]),
    // Models and helpers of several test targets.
    .target(name: "TestModels", dependencies: ["KVBinding"], path: "Tests/TestModels"),
    .testTarget(name: "KVCoreTests", dependencies: ["KVQuery", "TestModels"]),
    .testTarget(name: "KVQueryTests", dependencies: ["KVQuery", "TestModels"]),
    .testTarget(name: "KVFoundationTests", dependencies: ["KVFoundation", "KVQuery"]),
    .testTarget(name: "KVBindingTests", dependencies: ["KVControllers", "TestModels", "KVTestSupport"]),
    .testTarget(name: "KVControllersTests", dependencies: ["KVControllers", "TestModels", "KVTestSupport"]),
    .testTarget(name: "KVDocumentsTests", dependencies: ["KVControllers", "KVDocuments", "TestModels"]),
    .testTarget(
      name: "KVDefinitionsTests", dependencies: ["KVControllers", "KVDefinitions", "TestModels", "KVTestSupport"]),
    .testTarget(name: "KVTestSupportTests", dependencies: ["KVTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
