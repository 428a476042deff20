import Foundation

let data = Data()
