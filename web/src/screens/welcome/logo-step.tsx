import { useQueryClient } from '@tanstack/react-query'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useForm } from '../../api/use-form.ts'
import { ColourField } from '../../components/form/colour-field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { LogoFields } from '../../features/brand/logo-fields.tsx'
import { type LogosDraft, saveLogos } from '../../features/brand/logo-queries.ts'
import { applyAccent, defaultAccent, findAlternative, isColour } from '../../features/settings/accent-colours.ts'
import { type AllSettings, changeAppearance } from '../../features/settings/settings-queries.ts'
import { t } from '../../i18n/t.ts'
import { StepFrame, type StepNavigation } from './step-frame.tsx'

interface Props extends StepNavigation {
  settings: AllSettings
}

interface Draft extends LogosDraft {
  accent: string
}

/** Sets the logos and the accent colour of the organisation. */
export function LogoStep({ settings, ...navigation }: Props) {
  const { values, locked } = settings.appearance
  const save = useSaveLook(settings)
  const form = useForm<Draft>({
    initial: { ...settings.logos, accent: values.accent ?? '' },
    action: save,
    validate: ({ accent }) => {
      const error = findAccentError(accent)
      return error === undefined ? {} : { accent: error }
    },
    submit: (draft) => save.run(draft, { onSuccess: navigation.onNext }),
  })
  return (
    <StepFrame step="logo" form={form.form} isDirty={form.dialog.dirty} isBusy={save.isBusy} {...navigation}>
      {form.failure && <RequestFailure error={form.failure} />}
      <LogoFields draft={form.draft} onChange={form.change} errors={form.errors} />
      <ColourField
        label={t('Accent colour')}
        placeholder={defaultAccent}
        disabled={locked.accent !== undefined}
        hint={
          locked.accent === undefined
            ? t('For buttons and links. Leave it empty to use the standard colour.')
            : t('Set by the operator ({variable}).', { variable: locked.accent })
        }
        colour={isColour(form.draft.accent) ? form.draft.accent : defaultAccent}
        onPick={(accent) => form.change({ accent })}
        {...form.field('accent')}
      />
    </StepFrame>
  )
}

/** Saves what was changed. */
function useSaveLook({ logos, appearance: { version, values } }: AllSettings) {
  const client = useQueryClient()
  return useAction(
    async (draft: Draft) => {
      await saveLogos('organisation', logos, draft)
      const accent = draft.accent.toLowerCase() || null
      if (accent === values.accent) return
      await changeAppearance({ version, values: { accent } })
      applyAccent(accent)
    },
    { refresh: () => client.invalidateQueries() },
  )
}

/** Returns why a colour can’t be used. Without one, the standard colour applies. */
function findAccentError(accent: string): string | undefined {
  if (accent === '') return undefined
  if (!isColour(accent)) return t('Enter a colour, such as #006eb3.')
  const color = findAlternative(accent)
  return color && t('Buttons in this colour are hard to see on a white page. Use {color}, or a darker colour.', { color })
}
