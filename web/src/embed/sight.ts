// Who is in sight. One observer serves all elements of a page.

const watched = new WeakMap<Element, (seen: boolean) => void>();

const observer = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) watched.get(target)?.(isIntersecting);
});

export function watch(element: Element, told: (seen: boolean) => void): void {
  watched.set(element, told);
  observer.observe(element);
}

export function unwatch(element: Element): void {
  watched.delete(element);
  observer.unobserve(element);
}
