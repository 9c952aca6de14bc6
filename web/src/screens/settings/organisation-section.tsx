import { languages } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { toImages } from '../../features/brand/logo-queries.ts'
import { BrandPreview } from '../../features/settings/brand-preview.tsx'
import { browserTimeZone, listTimeZones } from '../../features/settings/time-zones.ts'
import { type SectionForm, useSectionForm } from '../../features/settings/use-section-form.ts'
import { languageNames } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'
import { SectionFrame } from './section-frame.tsx'
import type { SectionProps } from './section-props.ts'
import { SelectSetting, TextSetting } from './setting-fields.tsx'
import css from './settings.module.css'

const c = classNames(css)

export function OrganisationSection({ settings }: SectionProps) {
  const form = useSectionForm('organisation', settings.organisation)
  const { draft } = form
  const linkHint = t('Shown as a link on the pages of recipients. Without it, there is no link.')
  return (
    <div className={c('withPreview')}>
      <SectionFrame form={form}>
        <TextSetting
          form={form}
          field="name"
          maxLength={120}
          hint={t('Everyone sees it, even before signing in. Without a name, pages and emails say Neptune.')}
        />
        <TextSetting
          form={form}
          field="welcome"
          maxLength={300}
          hint={t('Recipients see it on the page where they enter the access code. Leave it empty to show nothing.')}
        />
        <TextSetting form={form} field="imprint_url" type="url" placeholder="https://" maxLength={500} hint={linkHint} />
        <TextSetting form={form} field="privacy_url" type="url" placeholder="https://" maxLength={500} hint={linkHint} />
        <TimeZoneSetting form={form} />
        <SelectSetting
          form={form}
          field="language"
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          hint={t('For people whose own language is unknown or not available.')}
        />
      </SectionFrame>
      <BrandPreview
        name={draft['name'] ?? ''}
        welcome={draft['welcome'] ?? ''}
        imprint={draft['imprint_url'] ?? ''}
        privacy={draft['privacy_url'] ?? ''}
        accent={settings.appearance.values.accent}
        images={toImages(settings.logos)}
      />
    </div>
  )
}

/** The time zone. While it is the default, the browser’s time zone is suggested. */
function TimeZoneSetting({ form }: { form: SectionForm<'organisation'> }) {
  const zone = form.draft['time_zone'] ?? ''
  const suggestion = zone === form.base.defaults.time_zone && browserTimeZone !== zone ? browserTimeZone : undefined
  return (
    <div className={c('setting')}>
      <SelectSetting form={form} field="time_zone" options={listTimeZones(zone)} hint={t('Emails show times in this zone.')} />
      {suggestion !== undefined && (
        <button type="button" className={c('link')} onClick={() => form.replaceField('time_zone', suggestion)}>
          {t('Use the time zone of your browser: {zone}', { zone: suggestion })}
        </button>
      )}
    </div>
  )
}
