import type { SectionName, Settings } from '@neptune/contract'
import { useEffect, useState } from 'react'
import type { FieldByCode } from '../../api/form-errors.ts'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import type { ActionStatus } from '../../components/form/use-action.ts'
import { useLatest } from '../../components/use-latest.ts'
import { t } from '../../i18n/t.ts'
import { mergeChanges, type RemoteChange } from './merge-changes.ts'
import { type Draft, findSettingChanges, toEntries, toSettingsDraft, type Values, validateChanges } from './section-draft.ts'
import { type Section, useSaveSection } from './settings-queries.ts'

interface Options {
  /** Returns whether the user must confirm these changes before they are saved. */
  needsConfirmation?: (changes: Values) => boolean
  fieldByCode?: FieldByCode
}

/** Manages the form of a section, and combines it with what other admins save in the meantime. */
export function useSectionForm<S extends SectionName>(
  name: S,
  section: Section<S>,
  { needsConfirmation, fieldByCode = {} }: Options = {},
) {
  const { base, remoteChanges, pending, startFrom, setRemoteChanges, setPending } = useBase(section)
  const toast = useToast()
  const save = useSaveSection(name)
  const run = (changes: Values) => {
    const sent = form.draft
    save.run(
      { version: base.version, values: changes as Partial<Settings[S]> },
      {
        onSuccess(saved) {
          startFrom(saved)
          form.restart(toSettingsDraft(name, saved), {
            ...toSettingsDraft(name, saved),
            ...pickChanged(sent, latestDraft.current),
          })
          toast({ message: t('Your changes are saved and in effect.') })
        },
        onError: () => setPending(undefined),
      },
    )
  }
  const form = useForm<Draft>({
    initial: () => toSettingsDraft(name, section),
    action: save,
    failureTitle: t('The settings were not saved.'),
    fieldByCode,
    validate: (draft) => validateChanges(name, findSettingChanges(name, base, draft)),
    submit(draft) {
      const changes = findSettingChanges(name, base, draft)
      if (Object.keys(changes).length === 0) form.restart(toSettingsDraft(name, base))
      else if (needsConfirmation?.(changes)) setPending(changes)
      else run(changes)
    },
  })

  const latestDraft = useLatest(form.draft)

  /** Takes over what another admin has saved. What was entered here stays. */
  const rebase = () => {
    const merged = mergeChanges(name, base, section, form.draft)
    form.restart(merged.initial, merged.draft)
    startFrom(section, merged.remoteChanges)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when there is a new version.
  useEffect(() => {
    if (section.version !== base.version && !save.isLocked()) rebase()
  }, [section.version, save.isBusy])

  return {
    ...form,
    name,
    base,
    isSaving: save.isBusy,
    isDirty: form.dialog.dirty,
    changes: findSettingChanges(name, base, form.draft),
    remoteChanges,
    /** Replaces the value of a field, and focuses it, because the button that offered the value disappears. */
    replaceField(field: string, value: string | number | boolean | null) {
      form.change(Object.fromEntries(toEntries(name, field, value)))
      form.form.ref.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
    },
    discard() {
      setRemoteChanges(undefined)
      form.restart(toSettingsDraft(name, base))
    },
    confirmation: pending && {
      changes: pending,
      action: save as ActionStatus,
      confirm: () => run(pending),
      cancel: () => setPending(undefined),
    },
  }
}

/** The section that a draft is based on, and the decisions to make before the draft is saved. */
function useBase<S extends SectionName>(section: Section<S>) {
  const [base, setBase] = useState<Section<S>>(section)
  /** What another admin has saved while something was changed here. */
  const [remoteChanges, setRemoteChanges] = useState<readonly RemoteChange[]>()
  /** Changes that wait for confirmation. */
  const [pending, setPending] = useState<Values>()
  const startFrom = (saved: Section<S>, found?: readonly RemoteChange[]) => {
    setBase(saved)
    setRemoteChanges(found)
    setPending(undefined)
  }
  return { base, remoteChanges, pending, startFrom, setRemoteChanges, setPending }
}

/** Returns what was entered while the form was being sent. */
const pickChanged = (sent: Draft, draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([entry, text]) => text !== sent[entry]))

export type SectionForm<S extends SectionName = SectionName> = ReturnType<typeof useSectionForm<S>>
