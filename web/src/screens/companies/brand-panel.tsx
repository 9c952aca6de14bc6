import type { CompanyBrand, CompanyDetails } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { Panel, PanelNote } from '../../components/layout/panel.tsx'
import { hasLogo, LogoSample } from '../../components/logo-sample.tsx'
import { toImages } from '../../features/brand/logo-queries.ts'
import { t } from '../../i18n/t.ts'
import css from './brand-panel.module.css'

const c = classNames(css)

/** Shows admins the name and logos that recipients of the company’s links see. */
export function BrandPanel({ company: { brand }, onEdit }: { company: CompanyDetails; onEdit: () => void }) {
  const images = toImages(brand.logos)
  return (
    <Panel title={t('Brand')} more={<Button onClick={onEdit}>{t('Edit brand')}</Button>}>
      <PanelNote>{describeBrand(brand)}</PanelNote>
      {hasLogo(images) && (
        <div className={c('previews')}>
          <LogoSample theme="light" images={images} />
          <LogoSample theme="dark" images={images} />
        </div>
      )}
    </Panel>
  )
}

/** Says what recipients see. A company with its own name never shows the logo of the organisation, which may contain another name. */
function describeBrand({ name, logos }: CompanyBrand): string {
  const hasLogo = logos.light !== null || logos.dark !== null
  if (name !== null)
    return hasLogo
      ? t('Recipients of its links see “{name}” and this logo once they have entered the code.', { name })
      : t('Recipients of its links see “{name}”, without a logo, once they have entered the code.', { name })
  return hasLogo
    ? t('Recipients of its links see this logo and your organisation’s name once they have entered the code.')
    : t('Recipients of its links see the name and logo of your organisation.')
}
