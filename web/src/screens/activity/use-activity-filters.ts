import { ActivityAction, type ActivityFilters } from '@neptune/contract'
import { useLocation } from 'react-router'
import { type Subject, subjects } from '../../features/activity/activity-texts.ts'
import { toStartOfDay } from '../../lib/time/days.ts'
import { useFilters } from '../shared/list/use-filters.ts'

/** The values of the filter fields. Days are in the browser's time zone. */
interface FilterValues {
  person: string | undefined
  company: string | undefined
  action: ActivityAction | undefined
  outcome: 'done' | 'refused' | undefined
  from: string | undefined
  to: string | undefined
}

export interface ActivityPageFilters {
  values: FilterValues
  /** One file, directory or link, with its name if the referring page passed it. */
  subjectFilter: { subject: Subject; id: string; name: string | undefined } | undefined
  /** The filters in the form the API expects. */
  filters: ActivityFilters
  hasFilters: boolean
  change: (changed: Partial<Record<keyof FilterValues | Subject, string>>) => void
  clear: () => void
}

export function useActivityFilters(): ActivityPageFilters {
  const { read, change, clear } = useFilters()
  const { state } = useLocation()
  const values: FilterValues = {
    person: read('person', 64),
    company: read('company', 64),
    action: ActivityAction.options.find((action) => action === read('action')),
    outcome: (['done', 'refused'] as const).find((outcome) => outcome === read('outcome')),
    from: parseDay(read('from')),
    to: parseDay(read('to')),
  }
  const subject = subjects.find((name) => read(name, 64) !== undefined)
  const subjectFilter = subject && { subject, id: read(subject, 64) ?? '', name: readName(state) }
  const { from, to, ...rest } = values
  const filters = {
    ...rest,
    ...(subjectFilter && { [subjectFilter.subject]: subjectFilter.id }),
    from: from && toStartOfDay(from),
    to: to && toStartOfDay(to, 1), // includes the whole last day
  }
  return {
    values,
    subjectFilter,
    filters: omitUndefined(filters),
    hasFilters: Object.values(filters).some(Boolean),
    change,
    clear,
  }
}

/** Returns the day if the text is a valid date. A URL may contain anything. */
const parseDay = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && toStartOfDay(text) ? text : undefined

function readName(state: unknown): string | undefined {
  const { name } = (state ?? {}) as Record<string, unknown>
  return typeof name === 'string' ? name : undefined
}

const omitUndefined = (filters: ActivityFilters): ActivityFilters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
