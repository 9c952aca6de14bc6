import { Button } from '../src/components/form/button.tsx'
import { CopyField } from '../src/components/form/copy-field.tsx'
import { PasswordField } from '../src/components/form/field.tsx'
import { FormError } from '../src/components/form/form-error.tsx'
import { CardLayout } from '../src/components/layout/card-layout.tsx'
import css from './gallery.module.css'

const errors = [{ field: 'code', message: 'Check it, or ask the sender for a new one.' }]

/** The card layout, on its own page because it fills the screen. */
export function CardPage() {
  return (
    <CardLayout>
      <form className={css['stack']}>
        <h1>Highly Secured Directory Protocol</h1>
        <FormError title="That code does not match." errors={errors} />
        <CopyField label="Key" value="7YqPz4mWk2c3K" />
        <PasswordField id="code" label="Access code" placeholder="Access code" error="That code does not match." />
        <Button type="submit" variant="primary" wide>
          Access Directory
        </Button>
      </form>
    </CardLayout>
  )
}
