import { logoMaxBytes } from '@neptune/contract'
import { useId, useRef, useState } from 'react'
import { toApiUrl } from '../../api/client.ts'
import { classNames } from '../../components/class-names.ts'
import { Progress } from '../../components/feedback/progress.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { DropArea } from '../../components/form/drop-area.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { type Logos, type Theme, useRemoveLogo, useSetLogo } from '../../features/settings/settings-queries.ts'
import { t } from '../../i18n/t.ts'
import css from './appearance-section.module.css'

const c = classNames(css)

/** Sets or removes the logo for pages in one theme, and shows it on the background of that theme. */
export function OrganisationLogoField({ theme, logos }: { theme: Theme; logos: Logos }) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const toast = useToast()
  const set = useSetLogo()
  const remove = useRemoveLogo()
  /** The number of attempts, so that the same error is announced again. */
  const [attempt, setAttempt] = useState(0)
  const [isTooLarge, setTooLarge] = useState(false)
  const { label, choose, removed } = getTexts(theme)
  const start = () => {
    setAttempt(attempt + 1)
    set.reset()
    remove.reset()
  }
  const upload = (file: File) => {
    start()
    setTooLarge(file.size > logoMaxBytes)
    if (file.size <= logoMaxBytes) set.run({ theme, file }, { onSuccess: () => toast({ message: t('Logo saved.') }) })
  }
  const showRemoved = () => {
    toast({ message: removed })
    section.current?.querySelector('button')?.focus() // the pressed button disappears
  }
  const tooLarge = isTooLarge && t('The image is larger than 1 MiB. Choose a smaller one.')
  const fault = tooLarge || set.error?.message || remove.error?.message
  return (
    <section ref={section} aria-labelledby={id} className={c('logo')}>
      <h4 id={id} className={c('label')}>
        {label}
      </h4>
      {fault && !set.isBusy && <FormError title={fault} attempt={attempt} announce="alert" />}
      <DropArea
        icon={<Stage theme={theme} logos={logos} />}
        hint={t('Drop an image here, or choose one.')}
        label={choose}
        accept="image/png,image/jpeg,image/webp,image/svg+xml"
        onFile={upload}
      />
      {set.isBusy && <Progress label={t('Uploading the logo')} value={null} />}
      {logos[theme] && (
        <Button
          aria-label={`${t('Remove logo')}: ${label}`}
          busy={remove.isBusy}
          onClick={() => {
            start()
            setTooLarge(false)
            remove.run(theme, { onSuccess: showRemoved })
          }}
        >
          {t('Remove logo')}
        </Button>
      )}
    </section>
  )
}

function getTexts(theme: Theme) {
  return theme === 'light'
    ? {
        label: t('On light pages'),
        choose: t('Choose a logo for light pages'),
        removed: t('The logo for light pages was removed.'),
      }
    : { label: t('On dark pages'), choose: t('Choose a logo for dark pages'), removed: t('The logo for dark pages was removed.') }
}

/** The logo on the background of its theme. If only the other theme has one, that one is used. */
function Stage({ theme, logos }: { theme: Theme; logos: Logos }) {
  const logo = logos[theme] ?? logos[theme === 'light' ? 'dark' : 'light']
  return (
    <>
      <div className={c('stage', theme)}>
        {logo ? (
          <img
            className={c('image', !logos[theme] && 'plate')}
            src={toApiUrl(logo.url)}
            alt={theme === 'light' ? t('Logo on a light page') : t('Logo on a dark page')}
          />
        ) : (
          t('No logo yet')
        )}
      </div>
      {logo && !logos[theme] && (
        <p>{theme === 'light' ? t('The logo for dark pages is used.') : t('The logo for light pages is used.')}</p>
      )}
    </>
  )
}
