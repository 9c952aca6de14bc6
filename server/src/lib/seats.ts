interface Limits {
  /** How many seats there are in all. */
  all: number
  /** How many of them one caller may have. */
  each: number
}

/** Limits how many tasks run at a time, in all and per caller. Taking a seat throws `refusal()` when none is left. */
export function createSeats({ all, each }: Limits, refusal: () => Error) {
  const taken = new Map<string, number>()
  let count = 0
  return function takeSeat(caller: string): Disposable {
    const own = taken.get(caller) ?? 0
    if (count >= all || own >= each) throw refusal()
    count++
    taken.set(caller, own + 1)
    let isLeft = false
    return {
      [Symbol.dispose]() {
        if (isLeft) return
        isLeft = true
        count--
        const left = (taken.get(caller) ?? 1) - 1
        if (left > 0) taken.set(caller, left)
        else taken.delete(caller)
      },
    }
  }
}
