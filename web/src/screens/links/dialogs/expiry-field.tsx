import type { FieldErrors } from '../../../api/form-errors.ts'
import { classNames } from '../../../components/class-names.ts'
import { Button } from '../../../components/form/button.tsx'
import { DateField } from '../../../components/form/field.tsx'
import { describeExpiry, useLinkLimits } from '../../../features/link/link-limits.ts'
import { t } from '../../../i18n/t.ts'
import { formatDay } from '../../../lib/time/dates.ts'
import { getDayFromNow, toEndOfDay } from '../../../lib/time/days.ts'
import css from '../link-dialogs.module.css'

const c = classNames(css)

/** The days that are offered besides the default of the settings. */
const commonDays = [7, 30, 90]

/** Returns the chosen last day of a link, or the default one until the user chooses. */
export function useExpiryDay(chosen: string | undefined): string {
  const { default_days } = useLinkLimits()
  return chosen ?? getDayFromNow(default_days)
}

interface ExpiryFieldProps {
  day: string
  error: string | undefined
  onChange: (day: string) => void
}

/** The last day of a link: any day within the limits of the settings, or one of the common ones with one press. */
export function ExpiryField({ day, error, onChange }: ExpiryFieldProps) {
  const { default_days, max_days } = useLinkLimits()
  const choices = [...new Set([default_days, ...commonDays])]
    .filter((days) => max_days === null || days <= max_days)
    .sort((a, b) => a - b)
  return (
    <div className={c('choice')}>
      <DateField
        label={t('Expiry')}
        name="expiry"
        required
        min={getDayFromNow(0)}
        max={max_days === null ? undefined : getDayFromNow(max_days)}
        value={day}
        onChange={({ target }) => onChange(target.value)}
        hint={describeExpiry(max_days)}
        error={error}
      />
      <div className={c('actions')}>
        {choices.map((days) => (
          <Button
            key={days}
            className={c('preset')}
            aria-pressed={day === getDayFromNow(days)}
            onClick={() => onChange(getDayFromNow(days))}
          >
            {t('{n} days', { n: days })}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Returns the error of a day outside the limits. */
export function findExpiryError(day: string, maxDays: number | null): FieldErrors {
  if (!toEndOfDay(day)) return { expiry: t('Choose a day.') }
  if (day < getDayFromNow(0)) return { expiry: t('Choose today or a later day.') }
  const latest = maxDays === null ? undefined : getDayFromNow(maxDays)
  if (latest === undefined || day <= latest) return {}
  return { expiry: t('Choose {date} or an earlier day.', { date: formatDay(toEndOfDay(latest) ?? '') }) }
}
