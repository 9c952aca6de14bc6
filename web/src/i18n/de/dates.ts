/** Relative times. */
export const dates = {
  'just now': 'gerade eben',
  '{n} min ago': 'vor {n} Min.',
  '{n} h ago': 'vor {n} Std.',
  'in less than a minute': 'in weniger als einer Minute',
  'in {n} min': 'in {n} Min.',
  'in {n} h': 'in {n} Std.',
  'in {n} days': { one: 'in {n} Tag', other: 'in {n} Tagen' },
  tomorrow: 'morgen',
  'on {date}': 'am {date}',
  '{n} s left': 'noch {n} Sek.',
  '{n} min left': 'noch {n} Min.',
  '{n} h left': 'noch {n} Std.',
  '{hours} h {minutes} min left': 'noch {hours} Std. {minutes} Min.',
  '{n} days left': { one: 'noch {n} Tag', other: 'noch {n} Tage' },
} as const
