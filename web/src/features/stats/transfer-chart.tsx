import type { TransferDay } from '@neptune/contract'
import { type PointerEvent, useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { DownloadIcon, UploadIcon } from '../../components/icons.tsx'
import { locale } from '../../i18n/language.ts'
import { formatNumber, t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import css from './transfers.module.css'

const c = classNames(css)

const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats `3 Dec`. Days are UTC days, regardless of the user’s time zone. */
export const formatDayAndMonth = (day: string) => dayAndMonth.format(new Date(`${day}T00:00:00Z`))

/** In SVG units: a day is 1 wide, and each half of the chart 50 high. */
const halfHeight = 50
const barWidth = 0.64

/**
 * A bar chart: uploads above the line and downloads below, so that the meaning doesn’t depend on color. An invisible slider on top
 * selects the day whose numbers are shown, by keyboard and touch; a mouse selects it by hovering.
 */
export function TransferChart({ days }: { days: readonly TransferDay[] }) {
  const [focused, setFocused] = useState<number>()
  const [hovered, setHovered] = useState<number>()
  const lastIndex = days.length - 1
  const selected = hovered ?? focused
  const shownDay = selected === undefined ? undefined : days[selected]
  const selectHovered = ({ currentTarget, clientX, pointerType }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (pointerType === 'mouse')
      setHovered(Math.max(0, Math.min(lastIndex, Math.floor(((clientX - left) / width) * days.length))))
  }
  return (
    <div className={c('chart')}>
      <Values days={shownDay ? [shownDay] : days} when={shownDay ? formatDayAndMonth(shownDay.day) : t('In total')} />
      <div className={c('plot')} onPointerMove={selectHovered} onPointerLeave={() => setHovered(undefined)}>
        <Bars days={days} selected={selected} />
        <input
          type="range"
          min={0}
          max={lastIndex}
          value={focused ?? lastIndex}
          aria-label={t('Day')}
          aria-valuetext={days[focused ?? lastIndex] && describeDay(days[focused ?? lastIndex] as TransferDay)}
          onChange={({ target }) => setFocused(Number(target.value))}
          onFocus={() => setFocused((current) => current ?? lastIndex)}
          onBlur={() => setFocused(undefined)}
          className={c('range')}
        />
      </div>
      <p className={c('axis')}>
        <span>{days[0] && formatDayAndMonth(days[0].day)}</span>
        <span>{t('Days are counted in UTC.')}</span>
        <span>{days[lastIndex] && formatDayAndMonth(days[lastIndex].day)}</span>
      </p>
    </div>
  )
}

function Bars({ days, selected }: { days: readonly TransferDay[]; selected: number | undefined }) {
  const maxCount = Math.max(1, ...days.map(({ uploads, downloads }) => Math.max(uploads, downloads)))
  // The minimum keeps small counts visible.
  const getBarHeight = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / maxCount) * (halfHeight - 2)))
  return (
    <svg viewBox={`0 0 ${days.length} ${2 * halfHeight}`} preserveAspectRatio="none" aria-hidden="true" className={c('drawing')}>
      {selected !== undefined && <rect x={selected} y={0} width={1} height={2 * halfHeight} className={c('selectedDay')} />}
      {days.map(({ day, uploads, downloads }, index) => {
        const bar = { x: index + (1 - barWidth) / 2, width: barWidth }
        return (
          <g key={day}>
            <rect {...bar} y={halfHeight - 0.5 - getBarHeight(uploads)} height={getBarHeight(uploads)} className={c('uploads')} />
            <rect {...bar} y={halfHeight + 0.5} height={getBarHeight(downloads)} className={c('downloads')} />
          </g>
        )
      })}
      <line x1={0} x2={days.length} y1={halfHeight} y2={halfHeight} className={c('line')} />
    </svg>
  )
}

/** Shows the totals of one day, or of all days. */
function Values({ days, when }: { days: readonly TransferDay[]; when: string }) {
  const sum = (name: Exclude<keyof TransferDay, 'day'>) => days.reduce((total, day) => total + day[name], 0)
  return (
    <dl className={c('values')}>
      <div>
        <dt>
          <UploadIcon size={16} />
          {t('Uploads')}
        </dt>
        <dd>{`${formatNumber(sum('uploads'))} · ${formatSize(sum('bytes_in'))}`}</dd>
      </div>
      <div>
        <dt>
          <DownloadIcon size={16} />
          {t('Downloads')}
        </dt>
        <dd>{`${formatNumber(sum('downloads'))} · ${formatSize(sum('bytes_out'))}`}</dd>
      </div>
      <div className={c('date')}>
        <dt>{t('When')}</dt>
        <dd>{when}</dd>
      </div>
    </dl>
  )
}

const describeDay = ({ day, uploads, bytes_in, downloads, bytes_out }: TransferDay) =>
  t('{day}: {uploads}, {received}; {downloads}, {sent}', {
    day: formatDayAndMonth(day),
    uploads: t('{n} uploads', { n: uploads }),
    received: formatSize(bytes_in),
    downloads: t('{n} downloads', { n: downloads }),
    sent: formatSize(bytes_out),
  })
