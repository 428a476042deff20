@KVModel final class Track: KVObject { var title = "" }
@KVModel final class Album: KVObject { var tracks: [Track] = [] }
@KVModel final class Player: KVObject { var album: Album? }
nonisolated(unsafe) let (player, screen) = (Player(), Screen())
nonisolated(unsafe) let albums = KVObservingListSection<String>()
func show(_ rows: some Any, of section: Int) {}
func showEverything() {}
