import { useId } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { DropArea } from '../../components/form/drop-area.tsx'
import { AlertIcon, ImageIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import css from './logo-field.module.css'

const c = classNames(css)

interface LogoFieldProps {
  /** The theme of the pages that show the logo, and of the field. */
  theme: 'light' | 'dark'
  /** The name of the field that errors refer to. */
  name: string
  /** The address of the image. Undefined if there is none. */
  image: string | undefined
  error?: string | undefined
  onChoose: (file: File) => void
  onRemove: () => void
}

/** Lets the user choose or drop a logo, and shows it on the background of its theme. */
export function LogoField({ theme, name, image, error, onChoose, onRemove }: LogoFieldProps) {
  const id = useId()
  const label = theme === 'light' ? t('Logo on light pages') : t('Logo on dark pages')
  return (
    <fieldset className={c('field')}>
      <legend className={c('label')}>{label}</legend>
      <div className={c('area', theme)}>
        <DropArea
          icon={image ? <img src={image} alt={label} className={c('logo')} /> : <ImageIcon size={24} />}
          hint={t('PNG, JPEG, WebP or SVG, at most 1 MiB')}
          label={image ? t('Replace logo') : t('Choose logo')}
          name={name}
          describedBy={error && `${id}-error`}
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          onFile={onChoose}
        />
      </div>
      {error && (
        <p id={`${id}-error`} className={c('error')}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
      {image && (
        <div>
          <Button onClick={onRemove}>{t('Remove logo')}</Button>
        </div>
      )}
    </fieldset>
  )
}
