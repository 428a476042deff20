import KVCore

/// The description of an ended binding that its ``KVPathBinding`` retains: everything but the closures (BND.14).
struct EndedBinding {
  let sources: [BindingEndpoint]
  let target: BindingEndpoint
  let options: KVBindingOptions
  let name: String?
  let number: UInt32
  let site: Site
  let error: KVError?

  init(_ core: BindingCore) {
    sources = [core.source] + core.others
    target = core.target
    var options = core.options
    options.transformer = nil
    self.options = options
    name = core.name
    number = core.number
    site = core.site
    error = core.error
  }

  var summary: String { BindingCore.summary(sources, options.direction, target) }
}
