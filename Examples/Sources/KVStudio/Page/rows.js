// The rows that a window has received, by index. Changes by index move them, so that they need not be asked for again.

/** Returns where an index is after a change; null if it is removed. */
export function moved(index, { kind, indexes }) {
  if (index === null || index === undefined) return null;
  if (kind === "removal") {
    if (indexes.includes(index)) return null;
    return index - indexes.filter((each) => each < index).length;
  }
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

  /** Applies the changes of an event, and returns where some indexes are then; null for those that are gone. */
  apply(event, places) {
    // Of an older event, the answer that the page began with knows already.
    if (event.version <= this.version) return places;
    const isNext = event.version === this.version + 1;
    this.version = event.version;
    this.count = event.count;
    for (const change of isNext ? event.changes : [{ kind: "setting" }]) {
      if (change.kind === "setting") {
        this.#rows.clear();
        this.#byId.clear();
        places = [null, null];
        continue;
      }
      const rows = this.#rows;
      this.#rows = new Map();
      for (const [index, row] of rows) {
        const place = moved(index, change);
        if (place !== null && !(change.kind === "replacement" && change.indexes.includes(index))) this.#rows.set(place, row);
      }
      if (change.rows) this.#isIncomplete = true;
      change.rows?.forEach((row, offset) => this.#put(change.indexes[offset], row));
      // The first row of the screen may be removed itself; the next one takes its place.
      places = places.map((place, number) => moved(place, change) ?? (number === 0 ? place : null));
    }
    return places;
  }
}
