//! The paths and signatures of `dashmap`, without what they do.

use mapref::entry::Entry;
use mapref::multiple::RefMulti;
use mapref::one::{Ref, RefMut};
use std::marker::PhantomData;

pub struct DashMap<K, V>(PhantomData<(K, V)>);
pub struct Iter<'a, K, V>(&'a DashMap<K, V>);

impl<K, V> Default for DashMap<K, V> {
    fn default() -> Self {
        loop {}
    }
}

impl<K, V> DashMap<K, V> {
    pub fn insert(&self, _: K, _: V) -> Option<V> {
        loop {}
    }
    pub fn remove(&self, _: &K) -> Option<(K, V)> {
        loop {}
    }
    pub fn remove_if(&self, _: &K, _: impl FnOnce(&K, &V) -> bool) -> Option<(K, V)> {
        loop {}
    }
    pub fn get(&self, _: &K) -> Option<Ref<'_, K, V>> {
        loop {}
    }
    pub fn get_mut(&self, _: &K) -> Option<RefMut<'_, K, V>> {
        loop {}
    }
    pub fn entry(&self, _: K) -> Entry<'_, K, V> {
        loop {}
    }
    pub fn contains_key(&self, _: &K) -> bool {
        loop {}
    }
    pub fn iter(&self) -> Iter<'_, K, V> {
        loop {}
    }
    pub fn retain(&self, _: impl FnMut(&K, &mut V) -> bool) {
        loop {}
    }
}

impl<K, V> Drop for Iter<'_, K, V> {
    fn drop(&mut self) {
        loop {}
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = RefMulti<'a, K, V>;
    fn next(&mut self) -> Option<RefMulti<'a, K, V>> {
        loop {}
    }
}

pub mod mapref {
    macro_rules! reference {
        ($name:ident) => {
            pub struct $name<'a, K, V>(&'a (K, V));

            impl<K, V> $name<'_, K, V> {
                pub fn key(&self) -> &K {
                    loop {}
                }
                pub fn value(&self) -> &V {
                    loop {}
                }
                pub fn value_mut(&mut self) -> &mut V {
                    loop {}
                }
            }

            impl<K, V> Drop for $name<'_, K, V> {
                fn drop(&mut self) {}
            }

            impl<K, V> std::ops::Deref for $name<'_, K, V> {
                type Target = V;
                fn deref(&self) -> &V {
                    loop {}
                }
            }
        };
    }

    pub mod one {
        reference!(Ref);
        reference!(RefMut);

        impl<K, V> std::ops::DerefMut for RefMut<'_, K, V> {
            fn deref_mut(&mut self) -> &mut V {
                loop {}
            }
        }
    }

    pub mod multiple {
        reference!(RefMulti);
    }

    pub mod entry {
        use super::one::RefMut;

        pub struct VacantEntry<'a, K, V>(&'a (K, V));
        pub struct OccupiedEntry<'a, K, V>(&'a (K, V));

        impl<K, V> Drop for VacantEntry<'_, K, V> {
            fn drop(&mut self) {}
        }
        impl<K, V> Drop for OccupiedEntry<'_, K, V> {
            fn drop(&mut self) {}
        }

        impl<'a, K, V> VacantEntry<'a, K, V> {
            pub fn insert(self, _: V) -> RefMut<'a, K, V> {
                loop {}
            }
        }
        impl<K, V> OccupiedEntry<'_, K, V> {
            pub fn get(&self) -> &V {
                loop {}
            }
            pub fn get_mut(&mut self) -> &mut V {
                loop {}
            }
            pub fn insert(&mut self, _: V) -> V {
                loop {}
            }
            pub fn remove(self) -> V {
                loop {}
            }
        }

        pub enum Entry<'a, K, V> {
            Occupied(OccupiedEntry<'a, K, V>),
            Vacant(VacantEntry<'a, K, V>),
        }

        impl<'a, K, V> Entry<'a, K, V> {
            pub fn or_insert(self, _: V) -> RefMut<'a, K, V> {
                loop {}
            }
            pub fn or_default(self) -> RefMut<'a, K, V>
            where
                V: Default,
            {
                loop {}
            }
            pub fn or_insert_with(self, _: impl FnOnce() -> V) -> RefMut<'a, K, V> {
                loop {}
            }
        }
    }
}
