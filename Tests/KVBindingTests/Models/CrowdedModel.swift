import KVCore

/// Keys that tell by hand only, and so many others that some of them share a bit of the masks with those: there is one
/// bit for each key in 64.
final class CrowdedModel: KVObject {
  @KVProperty var quiet = "q"
  @KVProperty var quietRows = ["a"]
  @KVProperty var quietTags: Set<String> = ["a"]
  var quietPlain = 0
  @KVProperty var loud = 0
  @KVProperty var filler0 = 0
  @KVProperty var filler1 = 0
  @KVProperty var filler2 = 0
  @KVProperty var filler3 = 0
  @KVProperty var filler4 = 0
  @KVProperty var filler5 = 0
  @KVProperty var filler6 = 0
  @KVProperty var filler7 = 0
  @KVProperty var filler8 = 0
  @KVProperty var filler9 = 0
  @KVProperty var filler10 = 0
  @KVProperty var filler11 = 0
  @KVProperty var filler12 = 0
  @KVProperty var filler13 = 0
  @KVProperty var filler14 = 0
  @KVProperty var filler15 = 0
  @KVProperty var filler16 = 0
  @KVProperty var filler17 = 0
  @KVProperty var filler18 = 0
  @KVProperty var filler19 = 0
  @KVProperty var filler20 = 0
  @KVProperty var filler21 = 0
  @KVProperty var filler22 = 0
  @KVProperty var filler23 = 0
  @KVProperty var filler24 = 0
  @KVProperty var filler25 = 0
  @KVProperty var filler26 = 0
  @KVProperty var filler27 = 0
  @KVProperty var filler28 = 0
  @KVProperty var filler29 = 0
  @KVProperty var filler30 = 0
  @KVProperty var filler31 = 0
  @KVProperty var filler32 = 0
  @KVProperty var filler33 = 0
  @KVProperty var filler34 = 0
  @KVProperty var filler35 = 0
  @KVProperty var filler36 = 0
  @KVProperty var filler37 = 0
  @KVProperty var filler38 = 0
  @KVProperty var filler39 = 0
  @KVProperty var filler40 = 0
  @KVProperty var filler41 = 0
  @KVProperty var filler42 = 0
  @KVProperty var filler43 = 0
  @KVProperty var filler44 = 0
  @KVProperty var filler45 = 0
  @KVProperty var filler46 = 0
  @KVProperty var filler47 = 0
  @KVProperty var filler48 = 0
  @KVProperty var filler49 = 0
  @KVProperty var filler50 = 0
  @KVProperty var filler51 = 0
  @KVProperty var filler52 = 0
  @KVProperty var filler53 = 0
  @KVProperty var filler54 = 0
  @KVProperty var filler55 = 0
  @KVProperty var filler56 = 0
  @KVProperty var filler57 = 0
  @KVProperty var filler58 = 0
  @KVProperty var filler59 = 0
  @KVProperty var filler60 = 0
  @KVProperty var filler61 = 0
  @KVProperty var filler62 = 0
  @KVProperty var filler63 = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CrowdedModel.self) { key in
      key("quiet", \.quiet).notifiesManually()
      key("quietRows", \.quietRows).notifiesManually()
      key("quietTags", \.quietTags).notifiesManually()
      key("quietPlain", \.quietPlain).notifiesManually()
      key("loud", \.loud)
      key("echo") { "\($0.quiet)!" }.affected(by: "quiet")
      key("filler0", \.filler0)
      key("filler1", \.filler1)
      key("filler2", \.filler2)
      key("filler3", \.filler3)
      key("filler4", \.filler4)
      key("filler5", \.filler5)
      key("filler6", \.filler6)
      key("filler7", \.filler7)
      key("filler8", \.filler8)
      key("filler9", \.filler9)
      key("filler10", \.filler10)
      key("filler11", \.filler11)
      key("filler12", \.filler12)
      key("filler13", \.filler13)
      key("filler14", \.filler14)
      key("filler15", \.filler15)
      key("filler16", \.filler16)
      key("filler17", \.filler17)
      key("filler18", \.filler18)
      key("filler19", \.filler19)
      key("filler20", \.filler20)
      key("filler21", \.filler21)
      key("filler22", \.filler22)
      key("filler23", \.filler23)
      key("filler24", \.filler24)
      key("filler25", \.filler25)
      key("filler26", \.filler26)
      key("filler27", \.filler27)
      key("filler28", \.filler28)
      key("filler29", \.filler29)
      key("filler30", \.filler30)
      key("filler31", \.filler31)
      key("filler32", \.filler32)
      key("filler33", \.filler33)
      key("filler34", \.filler34)
      key("filler35", \.filler35)
      key("filler36", \.filler36)
      key("filler37", \.filler37)
      key("filler38", \.filler38)
      key("filler39", \.filler39)
      key("filler40", \.filler40)
      key("filler41", \.filler41)
      key("filler42", \.filler42)
      key("filler43", \.filler43)
      key("filler44", \.filler44)
      key("filler45", \.filler45)
      key("filler46", \.filler46)
      key("filler47", \.filler47)
      key("filler48", \.filler48)
      key("filler49", \.filler49)
      key("filler50", \.filler50)
      key("filler51", \.filler51)
      key("filler52", \.filler52)
      key("filler53", \.filler53)
      key("filler54", \.filler54)
      key("filler55", \.filler55)
      key("filler56", \.filler56)
      key("filler57", \.filler57)
      key("filler58", \.filler58)
      key("filler59", \.filler59)
      key("filler60", \.filler60)
      key("filler61", \.filler61)
      key("filler62", \.filler62)
      key("filler63", \.filler63)
    }
  }

  static let fillers = (0..<64).map { "filler\($0)" }
}
