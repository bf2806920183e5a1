import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// A territory's directory in a store: its slots, and the state that says which are used.
struct TerritoryFolder: Sendable {
    let id: TerritoryID
    let directory: Directory

    /// Slots on disk, used or not; the greatest version first.
    func slots() throws(SnpackError) -> [SlotName] {
        try directory.names().compactMap(SlotName.init).sorted {
            $0.version == $1.version ? $0.number > $1.number : $0.version > $1.version
        }
    }

    /// The state; where its file is damaged or gone though slots are there, what is on disk is verified and that counts.
    ///
    /// - Returns: nil when nothing is installed and nothing ever was.
    func state(
        keys: PinnedKeys, context: WorkContext
    ) throws(SnpackError) -> (state: TerritoryState, isRebuilt: Bool)? {
        let bytes: [UInt8]?
        do throws(SnpackError) { bytes = try directory.contents(of: StoreName.state, limit: 1 << 16) } catch {
            guard [.fileNotFound, .fileTooLarge, .fileNotRegular].contains(error.code) else { throw error }
            bytes = error.code == .fileNotFound ? nil : []
        }
        if let bytes, let state = TerritoryState(decoding: bytes) { return (state, false) }
        let slots = try slots()
        if slots.isEmpty { return bytes == nil ? nil : (TerritoryState(), true) }
        var sound: [SlotName] = []
        for slot in slots where sound.count < 2 {
            guard let installed = try? InstalledPackage(slot, in: directory, keys: keys),
                sound.first?.version != slot.version
            else { continue }
            let faults = InstalledCheck(installed, context: context).faults()
            try context.cancel.check()
            if faults.isEmpty { sound.append(slot) }
        }
        // Nothing whole is left: the greatest that says what it is can still be repaired.
        let current = sound.first ?? slots.first { (try? InstalledPackage($0, in: directory, keys: keys)) != nil }
        context.report.warn(
            SnpackError(
                .storeStateDamaged,
                "the state of \(id) is damaged; what is on disk was verified again: "
                    + (sound.first.map { "version \($0.version) is whole" } ?? "no version is whole"),
                hint: sound.isEmpty ? "snpack store repair" : nil, path: directory.path(of: StoreName.state)))
        return (TerritoryState(current: current, previous: sound.dropFirst().first), true)
    }

    func write(_ state: TerritoryState) throws(SnpackError) {
        try directory.write(state.encoded, to: StoreName.state)
    }

    /// A slot name that is free.
    func freeSlot(for version: TerritoryVersion) throws(SnpackError) -> SlotName {
        var number = 1
        while try directory.contains(SlotName(version, number: number).description) { number += 1 }
        return SlotName(version, number: number)
    }

    /// The state as its file says it; nil if that is damaged or not there.
    var writtenState: TerritoryState? {
        (try? directory.contents(of: StoreName.state, limit: 1 << 16)).flatMap(TerritoryState.init(decoding:))
    }

    /// Whether there is anything that ``sweep(keeping:)`` may remove.
    func hasRemains(beside state: TerritoryState) throws(SnpackError) -> Bool {
        try directory.names().contains { name in
            if TemporaryName.matches(name) { return true }
            guard let slot = SlotName(name) else { return false }
            return slot != state.current && slot != state.previous
        }
    }

    /// Removes slots that `state` does not name and nobody reads in, and what killed processes left.
    func sweep(keeping state: TerritoryState) throws(SnpackError) {
        try directory.removeLeftovers()
        for slot in try slots() where slot != state.current && slot != state.previous {
            // A link or file with a slot's name holds no version, and must not stand in the way of one.
            guard try directory.identity(of: slot.description)?.kind == .directory else {
                try directory.remove(slot.description)
                continue
            }
            _ = try DirectoryLease.whileFree(slot.description, in: directory) { () throws(SnpackError) in
                try directory.removeTree(slot.description)
            }
        }
    }
}
