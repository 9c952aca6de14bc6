import { useSectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { SectionFrame } from './section-frame.tsx'
import type { SectionProps } from './section-props.ts'
import { QuantitySetting } from './setting-fields.tsx'

export function LinksSection({ settings }: SectionProps) {
  const form = useSectionForm('links', settings.links)
  return (
    <SectionFrame form={form}>
      <QuantitySetting form={form} field="default_days" hint={t('Whoever creates a link can choose another day.')} />
      <QuantitySetting
        form={form}
        field="max_days"
        placeholder={t('Unlimited')}
        hint={t(
          'From the day a link is created or extended. Existing links keep their expiry. Leave it empty to let people choose any day.',
        )}
      />
      <QuantitySetting
        form={form}
        field="session_minutes"
        hint={t('A shorter time also applies to recipients who have already entered their code.')}
      />
      <QuantitySetting form={form} field="max_bytes" hint={t('The total size of all uploads through one link.')} />
      <QuantitySetting form={form} field="max_files" />
      <QuantitySetting
        form={form}
        field="notice_minutes"
        hint={t('The owner of the link gets one email about everything uploaded until then.')}
      />
    </SectionFrame>
  )
}
