import { classNames } from '../components/class-names.ts'
import css from './how-to-upload.module.css'

const c = classNames(css)

/** What stands where there is no file yet. */
export const HowToUpload = () => (
  <>
    Upload one<span className={c('drop')}>, or drop files and folders anywhere on this page</span>.
  </>
)
