// swift-tools-version: 6.1
import PackageDescription

// A package as its users have them: a model that is observed and bound, a program for each library, and the suites of both
// frameworks.
let package = Package(
  name: "checkout",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-key-value", path: "../..")],
  targets: [
    .target(name: "Checkout", dependencies: [.product(name: "KVBinding", package: "swift-key-value")]),
    .executableTarget(
      name: "Till", dependencies: ["Checkout", .product(name: "KVBinding", package: "swift-key-value")]),
    .executableTarget(name: "PriceList", dependencies: [.product(name: "KVCore", package: "swift-key-value")]),
    .executableTarget(name: "Shelf", dependencies: [.product(name: "KVControllers", package: "swift-key-value")]),
    .executableTarget(name: "Receipts", dependencies: [.product(name: "KVDocuments", package: "swift-key-value")]),
    .executableTarget(name: "Screen", dependencies: [.product(name: "KVDefinitions", package: "swift-key-value")]),
    .testTarget(
      name: "CheckoutTests",
      dependencies: ["Checkout", .product(name: "KVTestSupport", package: "swift-key-value")]),
  ],
  swiftLanguageModes: [.v6]
)
