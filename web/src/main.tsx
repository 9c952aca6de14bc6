import './styles/typeface.css'
import './styles/tokens.css'
import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { loadFirstTranslations } from './i18n/t.ts'
import { ErrorBoundary } from './lib/page/error-boundary.tsx'
import { AppRoutes } from './routes.tsx'
import { CardFailed } from './screens/shared/page/page-states.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const render = () =>
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary fallback={(error) => <CardFailed error={error} retry={() => location.reload()} />}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </ErrorBoundary>
    </StrictMode>,
  )

void loadFirstTranslations().then(render)
