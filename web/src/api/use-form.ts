import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import type { Action } from '../components/form/use-action.ts'
import { useLatest } from '../components/use-latest.ts'
import { describeFailure, type FieldByCode, type FieldErrors, findFieldErrors, summarize } from './form-errors.ts'

/** The action that submitting a form starts. */
export type FormAction = Pick<Action<never, unknown>, 'isBusy' | 'isLocked' | 'error' | 'reset'>

interface FormOptions<Draft> {
  /** The values when the form opens. */
  initial: Draft | (() => Draft)
  /** While it is locked, submitting does nothing. */
  action: FormAction
  /** The title of the summary of errors. */
  failureTitle?: string
  /** Returns errors found before sending, such as required fields that are empty. */
  validate?: (draft: Draft) => FieldErrors
  /** Starts the action. Called only with valid values. */
  submit: (draft: Draft) => void
  fieldByCode?: FieldByCode
  /** The field that takes the focus after a failure that concerns no single field. Not used in dialogs. */
  failureFocus?: keyof Draft & string
}

/** The value while no field has changed since the last failure. */
const noChanges: { since: Error | undefined; fields: readonly string[] } = { since: undefined, fields: [] }

type KeysOf<Draft, Value> = { [Key in keyof Draft]: Draft[Key] extends Value ? Key : never }[keyof Draft] & string

/**
 * Manages the state of a form: its values, their errors and whether they were changed. Changing a field clears its error.
 * Spread `dialog` into a DialogFrame, or `form` into a form element.
 */
export function useForm<Draft extends object>(options: FormOptions<Draft>) {
  const { action, failureTitle = '', validate, submit, fieldByCode = {} } = options
  const [initial, setInitial] = useState(options.initial)
  const [draft, setDraft] = useState(initial)
  const [validationErrors, setValidationErrors] = useState<FieldErrors>({})
  /** A new failure shows all its errors, even those of fields changed while the request was running. */
  const [changed, setChanged] = useState(noChanges)
  const formElement = useRef<HTMLFormElement>(null)

  const allErrors = action.error ? findFieldErrors(action.error, fieldByCode) : validationErrors
  const changedFields = changed.since === action.error ? changed.fields : []
  const errors = Object.fromEntries(Object.entries(allErrors).filter(([field]) => !changedFields.includes(field)))
  /** Set if the failure concerns no single field. */
  const failure = action.error && Object.keys(allErrors).length === 0 ? action.error : undefined
  const summary = Object.keys(errors).length > 0 ? summarize(failureTitle, errors) : undefined
  useFocusAfterFailure(formElement, action.error, errors, options.failureFocus)

  const change = (changes: Partial<Draft>) => {
    setDraft((current) => ({ ...current, ...changes }))
    setChanged(({ since, fields }) => ({
      since: action.error,
      fields: [...(since === action.error ? fields : []), ...Object.keys(changes)],
    }))
  }
  const setErrors = (errors: FieldErrors) => {
    setValidationErrors(errors)
    setChanged(noChanges)
    action.reset()
  }
  /** Submits the values if they are valid. Returns the errors. */
  const submitIfValid = (entered: Draft): FieldErrors => {
    if (action.isLocked()) return {}
    const errors = validate?.(entered) ?? {}
    setErrors(errors)
    if (Object.keys(errors).length === 0) submit(entered)
    return errors
  }

  return {
    draft,
    change,
    errors,
    setErrors,
    failure,
    reset(): void {
      formElement.current?.reset()
      setDraft(initial)
    },
    /** Replaces the initial values, for example with those that were just saved. The values in `draft` count as changed. */
    restart(values: Draft, draft: Draft = values): void {
      setInitial(values)
      setDraft(draft)
      setErrors({})
    },
    ...createFieldProps(initial, draft, errors, change),
    dialog: {
      action,
      dirty: isChanged(initial, draft),
      error: failure ? describeFailure(failure, failureTitle) : summary,
      onConfirm: () => void submitIfValid(draft),
    },
    form: {
      ref: formElement,
      noValidate: true,
      onSubmit(event: FormEvent<HTMLFormElement>) {
        event.preventDefault()
        focusField(event.currentTarget, Object.keys(submitIfValid(readForm(event.currentTarget, draft))))
      },
    },
  }
}

function createFieldProps<Draft extends object>(
  initial: Draft,
  draft: Draft,
  errors: FieldErrors,
  change: (changes: Partial<Draft>) => void,
) {
  const createTextProps = (name: string) => ({
    name,
    error: errors[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      change({ [name]: target.value } as Partial<Draft>),
  })
  return {
    /** Props of a text field or select. */
    field: (name: KeysOf<Draft, string>) => ({ ...createTextProps(name), value: String(draft[name]) }),
    /** Props of an uncontrolled text field, which also keeps what a password manager enters without a change event. */
    uncontrolledField: (name: KeysOf<Draft, string>) => ({ ...createTextProps(name), defaultValue: String(initial[name]) }),
    checkbox: (name: KeysOf<Draft, boolean>) => ({
      name,
      checked: Boolean(draft[name]),
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target.checked } as Partial<Draft>),
    }),
  }
}

/** Focuses the first field with an error, or else the given one. Dialogs focus their summary of errors instead. */
function useFocusAfterFailure(
  element: { current: HTMLFormElement | null },
  failure: Error | undefined,
  errors: FieldErrors,
  fallback: string | undefined,
) {
  const latest = useLatest({ errors, fallback })
  useEffect(() => {
    if (!failure || !element.current) return
    const { errors, fallback } = latest.current
    const names = Object.keys(errors)
    focusField(element.current, names.length > 0 || fallback === undefined ? names : [fallback])
  }, [element, failure, latest])
}

/** Focuses the first of the named fields. */
function focusField(form: HTMLFormElement, names: readonly string[]): void {
  const field = [...form.elements].find((control) => names.includes(control.getAttribute('name') ?? ''))
  if (field instanceof HTMLElement) field.focus()
}

/** Returns the draft, updated with the current values of the form's text fields. */
function readForm<Draft extends object>(form: HTMLFormElement, draft: Draft): Draft {
  const texts = [...new FormData(form)].filter(([name, value]) => name in draft && typeof value === 'string')
  return { ...draft, ...Object.fromEntries(texts.filter(([name]) => typeof draft[name as keyof Draft] === 'string')) }
}

const isChanged = <Draft extends object>(before: Draft, after: Draft) =>
  (Object.keys(after) as (keyof Draft)[]).some((name) => !isSame(before[name], after[name]))

const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item, index) => item === b[index]) : a === b
