import type { View } from '../workspace/model.js';
import { Blocks } from './blocks.js';
import { useFrame } from './panel-text.js';
import { useSlack } from './slack-store.js';
import { SurfaceContext } from './surface.js';
import { useViewForm } from './view-surface.js';

/** The app's Home tab. */
export function HomeTab() {
  const { app, home } = useSlack();
  const frame = useFrame();
  return (
    <>
      <header className="pane-head">
        <h1>{app.displayName}</h1>
        <span className="quiet">{frame.home}</span>
      </header>
      <div className="home" data-testid="home">
        {home === undefined ? <p className="empty">{frame.nothingPublished}</p> : <Published view={home} />}
      </div>
    </>
  );
}

function Published({ view }: { view: View }) {
  const { surface } = useViewForm(view);
  return (
    <SurfaceContext value={surface}>
      <Blocks blocks={view.blocks} />
    </SurfaceContext>
  );
}
