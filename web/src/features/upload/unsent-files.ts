import type { Visit } from '../../api/visit.ts'

const unsentByVisit = new WeakMap<Visit, readonly string[]>()

/** Remembers the files whose upload had not finished when a visit ended. In its own module, because the access page must load fast. */
export const setUnsentFiles = (visit: Visit, names: readonly string[]): void => void unsentByVisit.set(visit, names)

/** Returns the names of the files whose upload had not finished when a visit ended. */
export const getUnsentFiles = (visit: Visit): readonly string[] => unsentByVisit.get(visit) ?? []
