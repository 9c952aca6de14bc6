import { logoMaxBytes } from '@neptune/contract'
import { useEffect, useState } from 'react'
import { toApiUrl } from '../../api/client.ts'
import type { FieldErrors } from '../../api/form-errors.ts'
import { classNames } from '../../components/class-names.ts'
import { t } from '../../i18n/t.ts'
import css from './logo-field.module.css'
import { LogoField } from './logo-field.tsx'
import type { LogoDraft, LogosDraft } from './logo-queries.ts'

const c = classNames(css)

interface LogoFieldsProps {
  draft: LogosDraft
  onChange: (changes: Partial<LogosDraft>) => void
  /** By theme. */
  errors: FieldErrors
}

/** The logos for light and dark pages. They are saved with the form. */
export const LogoFields = (props: LogoFieldsProps) => (
  <div className={c('stack')}>
    <div className={c('pair')}>
      <ThemeField theme="light" {...props} />
      <ThemeField theme="dark" {...props} />
    </div>
    <p className={c('note')}>{t('If there is only one logo, light and dark pages show it.')}</p>
  </div>
)

function ThemeField({ theme, draft, onChange, errors }: LogoFieldsProps & { theme: 'light' | 'dark' }) {
  const [isTooLarge, setTooLarge] = useState(false)
  const change = (logo: LogoDraft) => onChange({ [theme]: logo })
  return (
    <LogoField
      theme={theme}
      name={theme}
      image={useImage(draft[theme])}
      error={isTooLarge ? t('The image is larger than 1 MiB. Choose a smaller one.') : errors[theme]}
      onChoose={(file) => {
        setTooLarge(file.size > logoMaxBytes)
        if (file.size <= logoMaxBytes) change(file)
      }}
      onRemove={() => {
        setTooLarge(false)
        change(null)
      }}
    />
  )
}

/** Returns the address of a logo, also of one that is not saved yet. */
function useImage(logo: LogoDraft): string | undefined {
  const [chosen, setChosen] = useState<string>()
  const file = logo instanceof File ? logo : undefined
  useEffect(() => {
    if (!file) return
    const url = URL.createObjectURL(file)
    setChosen(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return file ? chosen : logo instanceof File || !logo ? undefined : toApiUrl(logo.url)
}
