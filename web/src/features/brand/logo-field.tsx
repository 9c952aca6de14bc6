import { logoMaxBytes } from '@neptune/contract'
import { useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/entry-icons.tsx'
import { Progress } from '../../components/feedback/progress.tsx'
import { Button } from '../../components/form/button.tsx'
import { DropArea } from '../../components/form/drop-area.tsx'
import { getLogoLabel, hasLogo, type LogoImages, LogoSample, type PageTheme } from '../../components/logo-sample.tsx'
import { t } from '../../i18n/t.ts'
import css from './logo-field.module.css'

const c = classNames(css)

interface LogoFieldProps {
  /** The theme of the pages that show the logo. */
  theme: PageTheme
  images: LogoImages
  /** Why the last image was refused. */
  error?: string | undefined
  isUploading?: boolean
  isRemoving?: boolean
  onChoose: (file: File) => void
  onRemove: () => void
}

/**
 * Lets the user choose, drop or remove a logo, and shows it on the background of its theme. Errors refer to it by the name of the theme.
 */
export function LogoField({ theme, images, error, isUploading = false, isRemoving = false, onChoose, onRemove }: LogoFieldProps) {
  const id = useId()
  const [isTooLarge, setTooLarge] = useState(false)
  /** The number of attempts, so that the same error is announced again. */
  const [attempt, setAttempt] = useState(0)
  const hasOwnLogo = images[theme] !== undefined
  const isBorrowed = !hasOwnLogo && hasLogo(images)
  const { field, expectRemoval } = useFocusAfterRemoval(hasOwnLogo)
  const start = (isTooLarge: boolean) => {
    setTooLarge(isTooLarge)
    setAttempt(attempt + 1)
  }
  const choose = (file: File) => {
    start(file.size > logoMaxBytes)
    if (file.size <= logoMaxBytes) onChoose(file)
  }
  const remove = () => {
    start(false)
    expectRemoval()
    onRemove()
  }
  const fault = isTooLarge ? t('The image is larger than 1 MiB. Choose a smaller one.') : isUploading ? undefined : error
  return (
    <fieldset ref={field} className={c('field')}>
      <legend className={c('label')}>{getLogoLabel(theme)}</legend>
      <DropArea
        icon={
          <>
            <LogoSample theme={theme} images={images} />
            {isBorrowed && (
              <p>{theme === 'light' ? t('The logo for dark pages is used.') : t('The logo for light pages is used.')}</p>
            )}
          </>
        }
        hint={t('PNG, JPEG, WebP or SVG, at most 1 MiB')}
        label={hasOwnLogo ? t('Replace logo') : t('Choose logo')}
        name={theme}
        describedBy={fault && `${id}-error`}
        accept="image/png,image/jpeg,image/webp,image/svg+xml"
        onFile={choose}
      />
      {fault && (
        <p key={attempt} id={`${id}-error`} role="alert" className={c('error')}>
          <AlertIcon size={16} />
          {fault}
        </p>
      )}
      {isUploading && <Progress label={t('Uploading the logo')} value={null} />}
      {hasOwnLogo && (
        <div>
          <Button busy={isRemoving} onClick={remove}>
            {t('Remove logo')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** Moves the focus to the first button of the field when the user has removed the logo, because the pressed button disappears. */
function useFocusAfterRemoval(isSet: boolean) {
  const field = useRef<HTMLFieldSetElement>(null)
  const isExpected = useRef(false)
  useEffect(() => {
    if (!isSet && isExpected.current) field.current?.querySelector('button')?.focus()
    isExpected.current = false
  }, [isSet])
  const expectRemoval = () => {
    isExpected.current = true
  }
  return { field, expectRemoval }
}
