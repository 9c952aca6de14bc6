import { useEffect, useState } from 'react'
import { toApiUrl } from '../../api/client.ts'
import type { FieldErrors } from '../../api/form-errors.ts'
import { classNames } from '../../components/class-names.ts'
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
export function LogoFields({ draft, onChange, errors }: LogoFieldsProps) {
  const images = { light: useImage(draft.light), dark: useImage(draft.dark) }
  return (
    <div className={c('pair')}>
      {(['light', 'dark'] as const).map((theme) => (
        <LogoField
          key={theme}
          theme={theme}
          images={images}
          error={errors[theme]}
          onChoose={(file) => onChange({ [theme]: file })}
          onRemove={() => onChange({ [theme]: null })}
        />
      ))}
    </div>
  )
}

/** Returns the URL of a logo, even if it is not saved yet. */
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
