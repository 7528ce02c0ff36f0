/** For people; the build puts it here. */
declare var supportedBrowsers: string;

// Stands inline in the page, in the syntax of 2009, and runs before the app. Where colours cannot follow the theme, other
// parts of the app fail as well: such a browser shows this notice instead of a broken page.
(function () {
  var knowsTheme = 'CSS' in window && CSS.supports('color', 'light-dark(#000, #fff)');
  var root = document.getElementById('root');
  if (knowsTheme || !root || !root.parentNode) return;
  var notice = document.createElement('p');
  notice.setAttribute('role', 'alert');
  notice.style.cssText = 'max-width: 32em; margin: 20vh auto; padding: 0 24px; font: 18px/1.5 sans-serif';
  notice.appendChild(
    document.createTextNode('This browser is too old for Caravan. It needs ' + supportedBrowsers + '.'),
  );
  root.parentNode.replaceChild(notice, root);
})();
