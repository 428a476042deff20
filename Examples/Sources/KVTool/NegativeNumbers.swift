/// Lets a negative number stand where a value is wanted: the parser of arguments takes it for an option.
enum NegativeNumbers {
  /// Returns the arguments of `kv set` with the options first and the others behind `--`, if one of them is a negative
  /// number; all else as it is.
  static func protected(_ arguments: [String]) -> [String] {
    guard arguments.first == "set", !arguments.contains("--"), arguments.contains(where: isNegativeNumber) else {
      return arguments
    }
    var options: [String] = []
    var others: [String] = []
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      if argument.hasPrefix("-"), argument != "-", !isNegativeNumber(argument) {
        options.append(argument)
        if argument == "-f" || argument == "--file", let file = rest.popFirst() { options.append(file) }
      } else {
        others.append(argument)
      }
    }
    return ["set"] + options + ["--"] + others
  }

  private static func isNegativeNumber(_ argument: String) -> Bool {
    argument.hasPrefix("-") && argument.dropFirst().first?.isNumber == true && Double(argument) != nil
  }
}
