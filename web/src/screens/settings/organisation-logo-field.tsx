import type { Logos } from '@neptune/contract'
import { useToast } from '../../components/feedback/toast.tsx'
import type { PageTheme } from '../../components/logo-sample.tsx'
import { LogoField } from '../../features/brand/logo-field.tsx'
import { toImages } from '../../features/brand/logo-queries.ts'
import { useRemoveLogo, useSetLogo } from '../../features/settings/settings-queries.ts'
import { t } from '../../i18n/t.ts'

/** The logo for pages of one theme. A change is saved immediately. */
export function OrganisationLogoField({ theme, logos }: { theme: PageTheme; logos: Logos }) {
  const toast = useToast()
  const set = useSetLogo()
  const remove = useRemoveLogo()
  const removed = theme === 'light' ? t('The logo for light pages was removed.') : t('The logo for dark pages was removed.')
  return (
    <LogoField
      theme={theme}
      images={toImages(logos)}
      error={(set.error ?? remove.error)?.message}
      isUploading={set.isBusy}
      isRemoving={remove.isBusy}
      onChoose={(file) => {
        remove.reset()
        set.run({ theme, file }, { onSuccess: () => toast({ message: t('Logo saved.') }) })
      }}
      onRemove={() => {
        set.reset()
        remove.run(theme, { onSuccess: () => toast({ message: removed }) })
      }}
    />
  )
}
