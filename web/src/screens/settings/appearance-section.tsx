import { useEffect, useRef } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { ColourField } from '../../components/form/colour-field.tsx'
import { toImages } from '../../features/brand/logo-queries.ts'
import {
  applyAccent,
  defaultAccent,
  findAlternative,
  isColour,
  presets,
  toPreviewAccent,
} from '../../features/settings/accent-colours.ts'
import { BrandPreview } from '../../features/settings/brand-preview.tsx'
import { type SectionForm, useSectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import css from './appearance-section.module.css'
import { OrganisationLogoField } from './organisation-logo-field.tsx'
import { SectionFrame } from './section-frame.tsx'
import type { SectionProps } from './section-props.ts'
import { SettingFrame } from './setting-fields.tsx'
import settingsCss from './settings.module.css'

const c = classNames({ ...settingsCss, ...css })

export function AppearanceSection({ settings }: SectionProps) {
  const form = useSectionForm('appearance', settings.appearance)
  const { name, welcome, imprint_url, privacy_url } = settings.organisation.values
  const { accent } = form.base.values
  const shownAccent = useRef(accent)
  useEffect(() => {
    if (accent !== shownAccent.current) applyAccent(accent)
    shownAccent.current = accent
  }, [accent])
  return (
    <div className={c('withPreview')}>
      <div className={c('parts')}>
        <SectionFrame form={form}>
          <AccentSetting form={form} />
        </SectionFrame>
        <section aria-label={t('Logo')} className={c('logos')}>
          <div>
            <h3 className={c('subheading')}>{t('Logo')}</h3>
            <p className={c('purpose')}>{t('A new logo applies immediately. Without one, the name is shown.')}</p>
          </div>
          <div className={c('pair')}>
            <OrganisationLogoField theme="light" logos={settings.logos} />
            <OrganisationLogoField theme="dark" logos={settings.logos} />
          </div>
        </section>
      </div>
      <BrandPreview
        name={name ?? ''}
        welcome={welcome ?? ''}
        imprint={imprint_url ?? ''}
        privacy={privacy_url ?? ''}
        accent={toPreviewAccent(form.draft['accent'] ?? '', accent)}
        images={toImages(settings.logos)}
      />
    </div>
  )
}

function AccentSetting({ form }: { form: SectionForm<'appearance'> }) {
  const typed = form.draft['accent'] ?? ''
  const choose = (accent: string) => form.change({ accent })
  const alternative = findAlternative(typed.trim())
  const { error, ...field } = form.field('accent')
  const refusal = t('Buttons in this colour are hard to see on a white page.')
  return (
    <div className={c('setting')}>
      <SettingFrame
        form={form}
        field="accent"
        hint={t('Buttons and links have this colour, in shades that are easy to read. Without it, they are blue.')}
      >
        {(props) => (
          <ColourField
            {...props}
            {...field}
            placeholder={defaultAccent}
            error={alternative ? refusal : error}
            colour={isColour(typed.trim()) ? typed.trim().toLowerCase() : defaultAccent}
            onPick={choose}
          />
        )}
      </SettingFrame>
      {/* Always present, so that screen readers announce the suggestion. */}
      <div role="status">
        {alternative && (
          <Button onClick={() => form.replaceField('accent', alternative)}>
            <Swatch colour={alternative} />
            {t('Use {value}', { value: alternative })}
          </Button>
        )}
      </div>
      <fieldset className={c('presets')}>
        <legend className="sr-only">{t('Suggested colours')}</legend>
        {presets.map(({ colour, name }) => (
          <button
            key={colour}
            type="button"
            className={c('preset')}
            aria-pressed={typed.trim().toLowerCase() === colour}
            aria-label={t(name)}
            title={t(name)}
            onClick={() => choose(colour)}
          >
            <Swatch colour={colour} />
          </button>
        ))}
      </fieldset>
    </div>
  )
}

const Swatch = ({ colour }: { colour: string }) => <span className={c('swatch')} style={{ background: colour }} />
