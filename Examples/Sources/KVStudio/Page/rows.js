// The rows that a window has received, by index. Changes by index move them, so that they need not be asked for again.

/** Returns where an index is after a change; that of the next row if it is removed. */
function moved(index, { kind, indexes }) {
  if (kind === "removal") return index - indexes.filter((each) => each < index).length;
  if (kind === "insertion") {
    for (const each of indexes) if (each <= index) index += 1;
  }
  return index;
}

export class RowCache {
  version = 0;
  count = 0;
  #rows = new Map();
  #byId = new Map();
  /** Whether rows have come by an event: the program follows the values of those that were asked for. */
  #isIncomplete = false;

  reset(version, count) {
    this.version = version;
    this.count = count;
    this.#rows.clear();
    this.#byId.clear();
  }

  row(index) { return this.#rows.get(index); }

  /** Whether the rows of a range are known, and the program follows their values. */
  has(first, count) {
    if (this.#isIncomplete) return false;
    for (let index = first; index < Math.min(first + count, this.count); index++) {
      if (!this.#rows.has(index)) return false;
    }
    return true;
  }

  #put(index, row) {
    this.#rows.set(index, row);
    this.#byId.set(row.id, row);
  }

  /** Takes the rows of an answer in place of the former ones; returns false if it is of another version than the rows. */
  add(answer) {
    if (answer.version !== this.version) return false;
    this.#isIncomplete = false;
    this.#rows.clear();
    this.#byId.clear();
    answer.rows.forEach((row, offset) => this.#put(answer.first + offset, row));
    return true;
  }

  /** Shows a row with other values. */
  update(row) {
    const known = this.#byId.get(row.id);
    if (known) Object.assign(known, row);
  }

  /**
   * Applies the changes of an event.
   *
   * Returns where some indexes are then, and which rows are gone, so that the next one has the index. They are null if all
   * rows have been set.
   */
  apply(event, places) {
    const gone = places.map(() => false);
    // Of an older event, the answer that the page began with knows already.
    if (event.version <= this.version) return { places, gone };
    const isNext = event.version === this.version + 1;
    this.version = event.version;
    this.count = event.count;
    for (const change of isNext ? event.changes : [{ kind: "setting" }]) {
      if (change.kind === "setting") {
        this.#rows.clear();
        this.#byId.clear();
        places = places.map(() => null);
        continue;
      }
      const rows = this.#rows;
      this.#rows = new Map();
      const changed = new Set(change.kind === "insertion" ? [] : change.indexes);
      for (const [index, row] of rows) if (!changed.has(index)) this.#rows.set(moved(index, change), row);
      if (change.rows) this.#isIncomplete = true;
      change.rows?.forEach((row, offset) => this.#put(change.indexes[offset], row));
      places = places.map((place, number) => {
        if (place === null) return null;
        if (change.kind === "removal" && changed.has(place)) gone[number] = true;
        return moved(place, change);
      });
    }
    return { places, gone };
  }
}
