import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { SelectField, TextField } from '../../components/form/field.tsx'
import { QuantityField } from '../../components/form/quantity-field.tsx'
import { toUnitName, type Values } from '../../features/settings/section-draft.ts'
import type { SectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { getUnits } from '../../lib/settings/quantities.ts'
import { formatValue, getFieldLabel, getFieldText } from '../../lib/settings/setting-texts.ts'
import css from './settings.module.css'

const c = classNames(css)

interface SettingProps {
  form: SectionForm
  field: string
  /** What the setting does, and what happens if it is not set. */
  hint?: ReactNode
}

/** A setting that is a text. */
export function TextSetting({
  form,
  field,
  hint,
  ...input
}: SettingProps & Omit<Partial<ComponentProps<typeof TextField>>, 'form'>) {
  return (
    <SettingFrame form={form} field={field} hint={hint}>
      {(props) => <TextField autoComplete="off" {...input} {...props} {...form.field(field)} />}
    </SettingFrame>
  )
}

/** A setting with fixed choices. */
export function SelectSetting({
  form,
  field,
  hint,
  options,
}: SettingProps & Pick<ComponentProps<typeof SelectField>, 'options'>) {
  return (
    <SettingFrame form={form} field={field} hint={hint}>
      {(props) => <SelectField options={options} {...props} {...form.field(field)} />}
    </SettingFrame>
  )
}

/** A setting that is a number with a unit. */
export function QuantitySetting({ form, field, hint, placeholder }: SettingProps & { placeholder?: string }) {
  const units = getUnits(getFieldText(form.name, field).quantity ?? 'count')
  const unit = form.draft[toUnitName(field)]
  return (
    <SettingFrame form={form} field={field} hint={hint}>
      {(props) => (
        <QuantityField
          {...props}
          {...form.field(field)}
          units={units}
          unit={unit}
          placeholder={placeholder}
          // Includes the number unchanged, which clears its error.
          onUnitChange={
            units.length > 1
              ? (chosen) => form.change({ [toUnitName(field)]: chosen, [field]: form.draft[field] ?? '' })
              : undefined
          }
        />
      )}
    </SettingFrame>
  )
}

interface FrameProps extends SettingProps {
  children: (props: { label: string; hint: ReactNode; disabled: boolean }) => ReactNode
}

/** Adds the default to a field, with a button that restores it. Disables a field that the operator has set with a variable. */
export function SettingFrame({ form, field, hint, children }: FrameProps) {
  const label = getFieldLabel(form.name, field)
  const variable = (form.base.locked as Record<string, string | undefined>)[field]
  const defaultValue = (form.base.defaults as Values)[field] ?? null
  const value = field in form.changes ? form.changes[field] : (form.base.values as Values)[field]
  const hints = [
    hint,
    variable !== undefined && t('Set by the operator ({variable}).', { variable }),
    variable === undefined &&
      defaultValue !== null &&
      t('Default: {value}.', { value: formatValue(form.name, field, defaultValue) }),
  ].filter(Boolean)
  return (
    <div className={c('setting')}>
      {children({
        label,
        disabled: variable !== undefined,
        hint: hints.length > 0 && hints.map((part, index) => (index === 0 ? part : <span key={String(part)}> {part}</span>)),
      })}
      {variable === undefined && defaultValue !== null && value !== defaultValue && (
        <button
          type="button"
          className={c('link')}
          aria-label={`${t('Use the default')}: ${label}`}
          onClick={() => form.replaceField(field, defaultValue)}
        >
          {t('Use the default')}
        </button>
      )}
    </div>
  )
}
